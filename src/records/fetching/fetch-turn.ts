import type { Document } from '../../kernel/projection.ts';

/** A fetch that somebody asked for. Its id is that of its entry in the fetch log. */
export interface FetchJob {
  readonly id: string;
  readonly force: boolean;
  readonly dryRun: boolean;
  readonly askedMs: number;
}

/**
 * When a source is fetched next, and who fetches it now: one document for each source, so that whoever holds it is the
 * only one who fetches, whether by schedule or because somebody asked.
 */
export interface FetchTurn extends Document {
  /** Those that somebody asked for come first; what rests is looked for by nobody. */
  readonly lane: 'asked' | 'scheduled' | 'resting';
  /** From then on whoever finds it may take it: when it is due, or while it is taken, when the claim is over. */
  readonly dueMs: number;
  /** Whether the source is one that is fetched by schedule. */
  readonly isScheduled: boolean;
  /** What readers are told as `nextFetchAfter`. */
  readonly scheduledMs: number | null;
  readonly job: FetchJob | null;
  /** Another one with each taking, so that who has lost it cannot take itself for the holder. */
  readonly claim: { readonly id: string; readonly runId: string } | null;
  readonly lastAsked: { readonly jobId: string; readonly atMs: number } | null;
  /** Where the source was asked for last, so that whoever looks for turns can pass over those of a host that is busy. */
  readonly host?: string;
}

export const fetchTurnsDeclaration = { name: 'fetch-turns', indexes: { byLane: ['lane', 'dueMs'] } };

type FreeTurn = Omit<FetchTurn, 'lane' | 'dueMs' | 'claim'>;

/** A turn that nobody has taken, where those find it who look for one. */
export function freeTurn({ id, isScheduled, scheduledMs, job, lastAsked, host }: FreeTurn): FetchTurn {
  const turn = { id, isScheduled, scheduledMs, job, lastAsked, claim: null, ...(host !== undefined && { host }) };
  if (job !== null) return { ...turn, lane: 'asked', dueMs: job.askedMs };
  if (scheduledMs !== null) return { ...turn, lane: 'scheduled', dueMs: scheduledMs };
  return { ...turn, lane: 'resting', dueMs: 0 };
}

export const newTurn = (sourceId: string): FetchTurn =>
  freeTurn({ id: sourceId, isScheduled: false, scheduledMs: null, job: null, lastAsked: null });

/** While a claim lasts its end is when the turn is due. */
export const isTaken = ({ claim, dueMs }: FetchTurn, nowMs: number): boolean => claim !== null && dueMs > nowMs;
