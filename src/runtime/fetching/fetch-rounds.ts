import { BackendUnavailable } from '../../kernel/backend-unavailable.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import type { FetchLane, FetchTurns, TakenTurn } from '../../records/fetching/fetch-turns.ts';

export interface FetchRoundsDeps {
  readonly turns: Pick<FetchTurns, 'due' | 'firstDueMs' | 'take'>;
  /** To its end, whatever that is; throws only what is no matter of the source. */
  readonly fetch: (taken: TakenTurn) => Promise<unknown>;
  /** How many are fetched at once. */
  readonly atOnceMax: number;
  /** Else only what somebody asks for is fetched. */
  readonly isScheduleOn: boolean;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly log: Log;
  /** A place is free again after all were taken. */
  readonly onFree?: () => void;
}

export interface FetchRounds {
  /** Begins as many fetches as there are places for. Answers how many were found, whoever was quicker to take them. */
  readonly begin: () => Promise<number>;
  /** When something is due; null when nothing ever is, or there is no place for it. */
  readonly nextMs: () => Promise<number | null>;
  /** When no fetch is under way any more. */
  readonly settled: () => Promise<void>;
}

/** Takes turns that are due and fetches, each beside the others: one that takes long keeps nobody else waiting. */
export function createFetchRounds(deps: FetchRoundsDeps): FetchRounds {
  const { turns, fetch, atOnceMax, isScheduleOn, log, onFree } = deps;
  const lanes: readonly FetchLane[] = isScheduleOn ? ['asked', 'scheduled'] : ['asked'];
  const running = new Set<Promise<void>>();

  async function run(taken: TakenTurn): Promise<void> {
    const { sourceId } = taken;
    try {
      await fetch(taken);
    } catch (error) {
      // Its turn comes again when the claim is over.
      if (error instanceof BackendUnavailable) log.warn(`a fetch waits: ${error.message}`, { sourceId });
      else log.error('a fetch could not be ended', { sourceId, error });
    }
  }

  function start(taken: TakenTurn): void {
    const work = run(taken).finally(() => {
      const wasFull = running.size >= atOnceMax;
      running.delete(work);
      if (wasFull) onFree?.();
    });
    running.add(work);
  }

  async function beginLane(lane: FetchLane): Promise<number> {
    const places = atOnceMax - running.size;
    if (places <= 0) return 0;
    const found = await turns.due(lane, places);
    // Together, so that the store can write them together.
    const taken = await Promise.all(found.map(turns.take));
    for (const turn of taken) if (turn !== null) start(turn);
    return found.length;
  }

  return {
    begin: async () => {
      let found = 0;
      for (const lane of lanes) found += await beginLane(lane);
      return found;
    },
    nextMs: async () => {
      if (running.size >= atOnceMax) return null;
      const known = await Promise.all(lanes.map(turns.firstDueMs));
      const due = known.filter((ms) => ms !== null);
      return due.length === 0 ? null : Math.min(...due);
    },
    settled: async () => {
      while (running.size > 0) await Promise.all(running);
    },
  };
}
