import { type OverviewRemoved, type OverviewWritten, toldReleaseIds } from '../../../domain/overview/events.ts';
import type { SummaryRemoved } from '../../../domain/summary/events.ts';
import { summaryIdsOfDates } from '../../../domain/summary/generated-summaries.ts';
import { type DomainEvent, type EventMetadata, isGenerated, type RecordedEvent } from '../../../kernel/event.ts';
import { streamOf } from '../../../kernel/stream-name.ts';
import type { EventStore } from '../../../ports/event-store.ts';
import { newEvents } from '../../commands/new-events.ts';
import type { Erasure } from '../erase-texts.ts';

/** A text may have 600 KB. */
const eventsPerRead = 8;
const streamsPerRead = 64;

/** A stream with texts, some of which may have been generated. */
export interface GeneratedTexts {
  readonly stream: string;
  readonly isAffected: (event: RecordedEvent) => boolean;
  /** Takes the place of the text. */
  readonly end: DomainEvent;
  /** Of what made it go: as part of that it is recorded. */
  readonly metadata: EventMetadata;
}

const tellsOfOneOf = ({ type, data }: RecordedEvent, releaseIds: ReadonlySet<string>): boolean =>
  type === 'OverviewWritten.v1' &&
  [...toldReleaseIds(data as OverviewWritten['data'])].some((releaseId) => releaseIds.has(releaseId));

export const overviewTexts = (
  orgId: string,
  releaseIds: ReadonlySet<string>,
  metadata: EventMetadata,
): GeneratedTexts => {
  const end: OverviewRemoved = { type: 'OverviewRemoved.v1', data: { removedAt: metadata.recordedAt } };
  const isAffected = (event: RecordedEvent) => isGenerated(event) && tellsOfOneOf(event, releaseIds);
  return { stream: streamOf('overview', orgId), isAffected, end, metadata };
};

/** A summary does not say which releases it tells of, so every generated one of their days counts. */
export const summaryTexts = (sourceId: string, id: string, metadata: EventMetadata): GeneratedTexts => {
  const end: SummaryRemoved = { type: 'SummaryRemoved.v1', data: { sourceId, removedAt: metadata.recordedAt } };
  const isAffected = (event: RecordedEvent) => event.type === 'SummaryWritten.v1' && isGenerated(event);
  return { stream: streamOf('summary', id), isAffected, end, metadata };
};

/** The last affected one, and the last of all. */
async function lastAffected(store: EventStore, { stream, isAffected }: GeneratedTexts) {
  let from: number | undefined;
  let last: RecordedEvent | undefined;
  for (;;) {
    const page = { direction: 'backwards' as const, limit: eventsPerRead };
    const { events } = await store.read(stream, from === undefined ? page : { ...page, fromVersion: from });
    last ??= events[0];
    const found = events.find(isAffected);
    if (found !== undefined && last !== undefined) return { version: found.version, last };
    from = (events.at(-1)?.version ?? 1) - 1;
    if (from === 0) return null;
  }
}

/** What somebody wrote after it stays. Answers the position of the event that took its place; 0 when none had to. */
async function drop(store: EventStore, texts: GeneratedTexts): Promise<number> {
  const { stream, end, metadata } = texts;
  for (;;) {
    const found = await lastAffected(store, texts);
    if (found === null) return 0;
    const { version, last } = found;
    if (version < last.version) {
      await store.truncate(stream, version + 1);
      return last.type === end.type ? last.position : 0;
    }
    const target = { stream, expectedVersion: version };
    const appended = await store.append({ ...target, events: newEvents([end], target, metadata, metadata.recordedAt) });
    if (appended.outcome === 'conflict') continue; // somebody has written meanwhile
    await store.truncate(stream, version + 1);
    return appended.position;
  }
}

/** Leaves nothing of the generated texts that are affected; answers the position that read models have to pass. */
export async function dropGenerated(store: EventStore, texts: readonly GeneratedTexts[]): Promise<number> {
  let position = 0;
  for (let from = 0; from < texts.length; from += streamsPerRead) {
    const some = texts.slice(from, from + streamsPerRead);
    const slices = await store.readMany(
      some.map(({ stream }) => stream),
      { direction: 'backwards', limit: 1 },
    );
    for (const [index, one] of some.entries()) {
      if (slices[index]!.version > 0) position = Math.max(position, await drop(store, one));
    }
  }
  return position;
}

/** Every generated text that may tell of some erased releases. */
export function textsTellingOf(erasures: readonly Erasure[]): GeneratedTexts[] {
  const byOrg = new Map<string, { readonly releaseIds: Set<string>; readonly metadata: EventMetadata }>();
  const summaries = new Map<string, GeneratedTexts>();
  for (const { stream, data, metadata } of erasures) {
    const { orgId, sourceId, publishedDates } = data;
    if (orgId !== null) {
      const known = byOrg.get(orgId) ?? { releaseIds: new Set<string>(), metadata };
      known.releaseIds.add(stream.id);
      byOrg.set(orgId, known);
    }
    for (const id of summaryIdsOfDates(sourceId, publishedDates))
      summaries.set(id, summaryTexts(sourceId, id, metadata));
  }
  const overviews = [...byOrg].map(([orgId, { releaseIds, metadata }]) => overviewTexts(orgId, releaseIds, metadata));
  return [...overviews, ...summaries.values()];
}
