import { derivedId } from '../../kernel/ids.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Ids } from '../../ports/ids.ts';
import type { OperationalStore, Stored } from '../../ports/operational-store.ts';
import { type FetchTurn, fetchTurnsDeclaration, freeTurn, isTaken, newTurn } from './fetch-turn.ts';

/** A turn that this process has taken. */
export interface TakenTurn {
  readonly sourceId: string;
  readonly claimId: string;
  /** Of its entry in the fetch log. */
  readonly runId: string;
  /** Somebody asked for it; else it is by schedule. */
  readonly isAsked: boolean;
  /** Whatever was seen before. */
  readonly force: boolean;
  readonly dryRun: boolean;
}

export type FetchLane = 'asked' | 'scheduled';

export interface FetchWish {
  readonly sourceId: string;
  readonly jobId: string;
  readonly force: boolean;
  readonly dryRun: boolean;
}

export type AskedFetch =
  | { readonly kind: 'enqueued' }
  | { readonly kind: 'running'; readonly jobId: string }
  | { readonly kind: 'too_soon'; readonly retryAfterMs: number };

export interface FetchTurns {
  /** Those that may be taken now, the longest due first; behind one of them. */
  readonly due: (lane: FetchLane, limit: number, after?: Stored<FetchTurn>) => Promise<Stored<FetchTurn>[]>;
  /** When the first of a lane is due; null when none ever is. */
  readonly firstDueMs: (lane: FetchLane) => Promise<number | null>;
  /** Null when another one was quicker. */
  readonly take: (found: Stored<FetchTurn>) => Promise<TakenTurn | null>;
  /** Whatever its turn is: for who is asked for one source here and now. Null while somebody fetches it. */
  readonly takeNow: (wish: Omit<FetchWish, 'jobId'>) => Promise<TakenTurn | null>;
  /** False when it was lost. */
  readonly keep: (taken: TakenTurn) => Promise<boolean>;
  /** The same for who is about to store something, and may be told so by a look while the claim lasts long. */
  readonly holds: (taken: TakenTurn) => Promise<boolean>;
  /** As if it had not been taken, but not before that time. A lost one is left alone. */
  readonly giveBack: (taken: TakenTurn, notBeforeMs?: number, host?: string) => Promise<void>;
  readonly ask: (wish: FetchWish) => Promise<AskedFetch>;
  /** Makes a source due now that is fetched by schedule. False when there is nothing to hasten. */
  readonly hasten: (sourceId: string) => Promise<boolean>;
}

/**
 * Longer than a fetch may take, so that one that hangs is over before another process can take its turn, even where the
 * clocks of the two are half a minute apart.
 */
export const turnTtlMs = 120_000;
/** Contract 14.3: so often at most somebody's wish is granted. */
export const askedEveryMs = 60_000;

export interface FetchTurnsDeps {
  readonly ops: OperationalStore;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly ids: Ids;
}

export async function openFetchTurns({ ops, clock, ids }: FetchTurnsDeps): Promise<FetchTurns> {
  const turns = await ops.collection<FetchTurn>(fetchTurnsDeclaration);
  const collection = fetchTurnsDeclaration.name;

  const put = async (doc: FetchTurn, expected: number, stampsMs = {}): Promise<boolean> =>
    (await ops.transact([{ kind: 'put', collection, doc, expected, stampsMs }])) === 'written';
  /** By the clock of the store, which is one for all processes. */
  const putClaimed = (doc: FetchTurn, expected: number) => put(doc, expected, { dueMs: turnTtlMs });

  /** Tries until nobody else writes between the look and the change; null changes nothing. */
  async function change<Answer>(
    sourceId: string,
    decide: (turn: FetchTurn | null) => { readonly answer: Answer; readonly next: FetchTurn | null },
    write = (doc: FetchTurn, expected: number) => put(doc, expected),
  ): Promise<Answer> {
    for (;;) {
      const known = await turns.get(sourceId);
      const { answer, next } = decide(known?.doc ?? null);
      if (next === null || (await write(next, known?.revision ?? 0))) return answer;
    }
  }

  const takenOf = ({ id: sourceId, job }: FetchTurn): TakenTurn => {
    const claimId = ids.commandId();
    return {
      sourceId,
      claimId,
      runId: job?.id ?? derivedId('fet', claimId),
      isAsked: job !== null,
      force: job?.force ?? false,
      dryRun: job?.dryRun ?? false,
    };
  };
  const claimOf = ({ claimId, runId }: TakenTurn) => ({ id: claimId, runId });

  const keep: FetchTurns['keep'] = ({ sourceId, claimId }) =>
    change(
      sourceId,
      (turn) => {
        const isHeld = turn?.claim?.id === claimId;
        return { answer: isHeld, next: isHeld ? turn : null };
      },
      putClaimed,
    );

  const lane = (wanted: FetchLane) => ({ index: 'byLane', equals: { lane: wanted } });

  return {
    due: (wanted, limit, after) =>
      turns.query({
        ...lane(wanted),
        ...(after && { after: [after.doc.dueMs, after.doc.id] as const }),
        to: clock.nowMs(),
        limit,
      }),
    firstDueMs: async (wanted) => (await turns.query({ ...lane(wanted), limit: 1 }))[0]?.doc.dueMs ?? null,
    take: async ({ doc, revision }) => {
      const taken = takenOf(doc);
      return (await putClaimed({ ...doc, claim: claimOf(taken) }, revision)) ? taken : null;
    },
    takeNow: ({ sourceId, force, dryRun }) =>
      change<TakenTurn | null>(
        sourceId,
        (known) => {
          const turn = known ?? newTurn(sourceId);
          if (isTaken(turn, clock.nowMs())) return { answer: null, next: null };
          const taken = { ...takenOf({ ...turn, job: null }), isAsked: true, force, dryRun };
          return { answer: taken, next: { ...turn, claim: claimOf(taken) } };
        },
        putClaimed,
      ),
    keep,
    holds: async (taken) => {
      const turn = (await turns.get(taken.sourceId))?.doc;
      if (turn?.claim?.id !== taken.claimId) return false;
      // Half of it is more than the clocks of two processes are apart, and than storing what was found takes.
      return turn.dueMs - clock.nowMs() > turnTtlMs / 2 || keep(taken);
    },
    giveBack: ({ sourceId, claimId }, notBeforeMs, host) =>
      change(sourceId, (turn) => {
        if (turn?.claim?.id !== claimId) return { answer: undefined, next: null };
        const free = freeTurn({ ...turn, ...(host !== undefined && { host }) });
        const isLookedFor = free.lane !== 'resting' && notBeforeMs !== undefined;
        return { answer: undefined, next: isLookedFor ? { ...free, dueMs: notBeforeMs } : free };
      }),
    ask: ({ sourceId, jobId, force, dryRun }) =>
      change<AskedFetch>(sourceId, (known) => {
        const nowMs = clock.nowMs();
        const turn = known ?? newTurn(sourceId);
        const { lastAsked, job } = turn;
        // A repeat of the same request.
        if (lastAsked?.jobId === jobId) return { answer: { kind: 'enqueued' }, next: null };
        const running = isTaken(turn, nowMs) ? turn.claim?.runId : job?.id;
        if (running !== undefined) return { answer: { kind: 'running', jobId: running }, next: null };
        const againMs = lastAsked === null ? 0 : lastAsked.atMs + askedEveryMs;
        if (againMs > nowMs) return { answer: { kind: 'too_soon', retryAfterMs: againMs - nowMs }, next: null };
        const asked = { job: { id: jobId, force, dryRun, askedMs: nowMs }, lastAsked: { jobId, atMs: nowMs } };
        return { answer: { kind: 'enqueued' }, next: freeTurn({ ...turn, ...asked }) };
      }),
    hasten: (sourceId) =>
      change(sourceId, (turn) => {
        const nowMs = clock.nowMs();
        const isWaiting = turn?.lane === 'scheduled' && turn.claim === null && turn.dueMs > nowMs;
        return { answer: isWaiting, next: isWaiting ? { ...turn, dueMs: nowMs } : null };
      }),
  };
}
