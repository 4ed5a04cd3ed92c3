import type { ReleaseErased, ReleaseIndexed, ReleaseRevised } from '../release/events.ts';
import type { RecordedEvent } from '../../kernel/event.ts';
import { summaryId } from './subject.ts';

/** Whoever goes through the releases of a source asks for the same few again and again, and each is made of a hash. */
const rememberedMax = 1_000;
const remembered = new Map<string, string>();

function rememberedId(key: string, make: () => string): string {
  const known = remembered.get(key);
  if (known !== undefined) return known;
  if (remembered.size >= rememberedMax) remembered.clear();
  const id = make();
  remembered.set(key, id);
  return id;
}

/** Contract 15.4. */
export const rollingDays = 30;

export const rollingSummaryId = (sourceId: string): string =>
  rememberedId(sourceId, () =>
    summaryId({ sourceId, type: 'rolling', year: null, month: null, windowDays: rollingDays }),
  );

export const monthlySummaryId = (sourceId: string, month: string): string =>
  rememberedId(`${sourceId} ${month}`, () => {
    const [year = 0, number = 0] = month.split('-').map(Number);
    return summaryId({ sourceId, type: 'monthly', year, month: number, windowDays: null });
  });

/** Undated releases are of no day. */
export type ReleaseDates = readonly (string | null | undefined)[];

/** Of a generated summary nobody knows which releases it tells of: all that may tell of some with these dates. */
export const summaryIdsOfDates = (sourceId: string, dates: ReleaseDates): string[] => {
  const months = new Set(dates.flatMap((date) => date?.slice(0, 7) ?? []));
  return [rollingSummaryId(sourceId), ...[...months].map((month) => monthlySummaryId(sourceId, month))];
};

/** The dates that a release had or got with an event. */
export const datesOfRelease = ({ type, data }: RecordedEvent): ReleaseDates => {
  if (type === 'ReleaseErased.v1') return (data as ReleaseErased['data']).publishedDates;
  if (type === 'ReleaseIndexed.v1') {
    const { given, derived } = data as ReleaseIndexed['data'];
    return [given.publishedAt ?? derived.publishedAt];
  }
  if (type === 'ReleaseRevised.v1') {
    const { given, derived, previousPublishedAt } = data as ReleaseRevised['data'];
    return [given.publishedAt ?? derived.publishedAt, previousPublishedAt];
  }
  return [(data as { readonly publishedAt?: string | null }).publishedAt];
};
