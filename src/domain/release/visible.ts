import type { DomainEvent } from '../../kernel/event.ts';
import type { Lifecycle } from '../lifecycle.ts';
import type { ReleaseRevised } from './events.ts';
import type { RowLane } from './feed/lane.ts';

/** Clocks differ a little: a date this far ahead has come. */
const aheadMs = 60_000;

/** Releases dated after this are not there yet (contract 2.9): the bound of what is sorted by date. */
export const dueUntilMs = (nowMs: number): number => nowMs + aheadMs;

/** Whether the date of a release has come; without a date there is nothing to wait for. */
export const isDueMs = (publishedMs: number | null, nowMs: number): boolean =>
  publishedMs === null || publishedMs <= dueUntilMs(nowMs);

export const isDue = (publishedAt: string | null, now: string): boolean =>
  isDueMs(publishedAt === null ? null : Date.parse(publishedAt), Date.parse(now));

/** An org, product or source: its state, or its document, which is there only once it was created. */
interface Hideable {
  readonly lifecycle?: Lifecycle;
  readonly hidden: boolean;
  readonly deletedAt: string | null;
}

/** By itself, whatever its org is. What is deleted nobody sees. */
export const isVisible = ({ lifecycle, hidden, deletedAt }: Hideable, seesHidden = false): boolean =>
  lifecycle !== 'absent' && deletedAt === null && (!hidden || seesHidden);

type PartOfOrg<Entity> = Entity & { readonly orgId: string | null };

/** A product or source is seen only where its org is. */
export const isVisibleInOrg = <Entity extends Hideable>(
  part: PartOfOrg<Entity>,
  org: Entity | undefined,
  sees: (entity: Entity) => boolean,
): boolean => sees(part) && (part.orgId === null || (org !== undefined && sees(org)));

/** The product does not matter: a hidden or deleted one only no longer shows on its releases. */
interface Parents {
  readonly source: PartOfOrg<Hideable>;
  readonly org?: Hideable | undefined;
}

export const areParentsVisible = ({ source, org }: Parents): boolean =>
  isVisibleInOrg<Hideable>(source, org, (entity) => isVisible(entity));

/** Writers see what is hidden, but not what is deleted. */
export const areParentsLive = ({ source, org }: Parents): boolean =>
  isVisibleInOrg<Hideable>(source, org, (entity) => isVisible(entity, true));

interface Withdrawable {
  readonly publishedAt: string | null;
  readonly suppressed: boolean;
}

export const isReleaseVisible = ({ publishedAt, suppressed }: Withdrawable, parents: Parents, now: string): boolean =>
  !suppressed && areParentsVisible(parents) && isDue(publishedAt, now);

interface Listed {
  readonly lane: RowLane;
  readonly publishedMs: number | null;
}

/** Whether everybody is shown it without asking for more: neither prereleases, nor coverage, nor what was withdrawn. */
export const isShownToAll = (
  { lane, publishedMs }: Listed,
  source: Pick<Hideable, 'hidden' | 'deletedAt'> | undefined,
  nowMs: number,
): boolean => lane === 'stable' && source !== undefined && isVisible(source) && isDueMs(publishedMs, nowMs);

/** After these nobody may be shown any longer what a release tells of. */
export const withdrawals = ['ReleaseSuppressed.v1', 'CoverageLinked.v1', 'ReleaseErased.v1'] as const;

/** Whether an event takes a release out of what everybody is shown; a revision may. */
export const isWithdrawal = ({ type, data }: DomainEvent): boolean => {
  if (type !== 'ReleaseRevised.v1') return withdrawals.some((withdrawal) => withdrawal === type);
  const { pending, given } = data as ReleaseRevised['data'];
  return pending || given.prerelease === true;
};
