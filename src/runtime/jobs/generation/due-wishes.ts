import type { OrgChanged } from '../../../domain/org/events.ts';
import type { ReleaseRevised } from '../../../domain/release/events.ts';
import { isWithdrawal, withdrawals } from '../../../domain/release/visible.ts';
import { datesOfRelease, type ReleaseDates, rollingDays } from '../../../domain/summary/generated-summaries.ts';
import type { DomainEvent, RecordedEvent } from '../../../kernel/event.ts';
import type { DueWish } from '../../../records/generation-due.ts';
import { dayMs } from '../../../kernel/dates.ts';

/** A batch of releases is usually followed by others: whoever waits a moment reads them together. */
const settleMs = 60_000;
/** As many months as the detail of a source shows (contract 5.2). */
const monthsMax = 24;
/** Older releases were there before anybody thought of enriching them; asking a model about all of them costs. */
const enrichedDaysMax = 30;

/** Nobody may be shown any longer what the source tells of. */
const withdrawingOfSource = new Set(['SourceHidden.v1', 'SourceDeleted.v1', 'SourcePurged.v1']);

export const followedTypes: readonly string[] = [
  ...withdrawingOfSource,
  ...withdrawals,
  'ReleaseIndexed.v1',
  'ReleaseRevised.v1',
  'ReleaseDated.v1',
  'ReleaseUnsuppressed.v1',
  'CoverageUnlinked.v1',
  'SourceUnhidden.v1',
  'SourceRestored.v1',
  'OrgChanged.v1',
  'OrgUnhidden.v1',
  'OrgRestored.v1',
];

export const monthBounds = (month: string): { readonly fromMs: number; readonly toMs: number } => {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return { fromMs: Date.UTC(year, number - 1, 1), toMs: Date.UTC(year, number, 1) - 1 };
};

const isKept = (month: string, nowMs: number): boolean => {
  const now = new Date(nowMs);
  return monthBounds(month).fromMs >= Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - monthsMax, 1);
};

export interface WishContext {
  readonly nowMs: number;
  /** Whether releases are enriched at all. */
  readonly enriches: boolean;
  /** Null for a source that stands alone or is not known any more. */
  readonly orgIdOf: (sourceId: string) => string | null;
}

/** Of the days that these dates lie in. */
function summaryWishes(sourceId: string, dates: ReleaseDates, isUrgent: boolean, nowMs: number): DueWish[] {
  const known = dates.filter((date) => date != null);
  const soonMs = isUrgent ? nowMs : nowMs + settleMs;
  const months = new Set(known.map((date) => date.slice(0, 7)));
  const wishes: DueWish[] = [...months]
    .filter((month) => isKept(month, nowMs))
    // A month is told of once it is over.
    .map((month) => {
      const dueMs = Math.max(soonMs, monthBounds(month).toMs + settleMs);
      return { kind: 'month', ownerId: sourceId, month, dueMs, isUrgent };
    });
  const isRecent = known.some((date) => Date.parse(date) >= nowMs - rollingDays * dayMs);
  if (isRecent || isUrgent) wishes.push({ kind: 'rolling', ownerId: sourceId, month: null, dueMs: soonMs, isUrgent });
  return wishes;
}

/** Of a text that nobody has read yet: a new release, or one with another text. */
function releaseWishes(event: RecordedEvent, { nowMs, enriches }: WishContext): DueWish[] {
  const { type, data, metadata, stream } = event;
  if (!enriches || metadata.cause === 'enrich') return [];
  const hasText =
    type === 'ReleaseIndexed.v1' ||
    (type === 'ReleaseRevised.v1' && 'content' in (data as ReleaseRevised['data']).given);
  const sinceMs = nowMs - enrichedDaysMax * dayMs;
  const isRecent = [metadata.recordedAt, ...datesOfRelease(event).slice(0, 1)].every(
    (date) => date == null || Date.parse(date) >= sinceMs,
  );
  if (!hasText || !isRecent) return [];
  return [{ kind: 'release', ownerId: stream.id, month: null, dueMs: nowMs + settleMs, isUrgent: false }];
}

const overviewWish = (orgId: string | null, isUrgent: boolean, nowMs: number): DueWish[] =>
  orgId === null
    ? []
    : [{ kind: 'overview', ownerId: orgId, month: null, dueMs: isUrgent ? nowMs : nowMs + settleMs, isUrgent }];

/** What is to be looked at after an event. */
export function dueWishes(event: RecordedEvent, context: WishContext): DueWish[] {
  const { type, stream } = event;
  const { nowMs, orgIdOf } = context;
  if (type === 'OrgChanged.v1') {
    const { changed } = event.data as OrgChanged['data'];
    const matters = changed.autoGenerateContent === true || changed.overviewCadenceDays !== undefined;
    return matters ? overviewWish(stream.id, false, nowMs).map((wish) => ({ ...wish, hastens: true })) : [];
  }
  if (type.startsWith('Org')) return overviewWish(stream.id, false, nowMs);
  const isUrgent = withdrawingOfSource.has(type) || isWithdrawal(event);
  if (type.startsWith('Source')) return overviewWish(orgIdOf(stream.id), isUrgent, nowMs);
  const { sourceId, orgId, pending } = event.data as DomainEvent['data'] & {
    readonly sourceId: string;
    readonly orgId?: string | null;
    readonly pending?: boolean;
  };
  // What waits for its date is heard of again when that has come.
  if (type === 'ReleaseIndexed.v1' && pending) return [];
  if (event.metadata.cause === 'enrich') return [];
  // A revision is no new release, but a summary of its days tells of it.
  const overview =
    type === 'ReleaseRevised.v1' && !isUrgent ? [] : overviewWish(orgId ?? orgIdOf(sourceId), isUrgent, nowMs);
  return [
    ...overview,
    ...summaryWishes(sourceId, datesOfRelease(event), isUrgent, nowMs),
    ...releaseWishes(event, context),
  ];
}
