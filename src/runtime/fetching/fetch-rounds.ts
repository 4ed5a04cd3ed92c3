import { BackendUnavailable } from '../../kernel/backend-unavailable.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import type { NamedPlaces } from '../../concurrency/named-places.ts';
import type { Stored } from '../../ports/operational-store.ts';
import type { FetchTurn } from '../../records/fetching/fetch-turn.ts';
import type { FetchLane, FetchTurns, TakenTurn } from '../../records/fetching/fetch-turns.ts';

export interface FetchRoundsDeps {
  readonly turns: Pick<FetchTurns, 'due' | 'firstDueMs' | 'take'>;
  /** To its end, whatever that is; throws only what is no matter of the source. A place at the host is kept for it. */
  readonly fetch: (taken: TakenTurn, heldHost: string | undefined) => Promise<unknown>;
  /** Where fetches are: sources of a full host are passed over. */
  readonly hosts: NamedPlaces;
  /** How many are fetched at once. */
  readonly atOnceMax: number;
  /** Else only what somebody asks for is fetched. */
  readonly isScheduleOn: boolean;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly log: Log;
  /** Something may be begun now for which there was no place. */
  readonly onFree?: () => void;
}

export interface FetchRounds {
  /** Begins as many fetches as there are places for. Answers how many were found, whoever was quicker to take them. */
  readonly begin: () => Promise<number>;
  /** When something is due; null when nothing ever is, or there is no place for what is. */
  readonly nextMs: () => Promise<number | null>;
  /** When no fetch is under way any more. */
  readonly settled: () => Promise<void>;
}

/** Far enough to come to other hosts behind one with many sources, and little enough to be read each time. */
const lookAheadPages = 8;
const pageSize = 128;

interface ChosenTurn {
  readonly turn: Stored<FetchTurn>;
  /** Leaves the host. */
  readonly leave: () => void;
}

/** Takes turns that are due and fetches, each beside the others: one that takes long keeps nobody else waiting. */
export function createFetchRounds(deps: FetchRoundsDeps): FetchRounds {
  const { turns, fetch, hosts, atOnceMax, isScheduleOn, log, onFree } = deps;
  const lanes: readonly FetchLane[] = isScheduleOn ? ['asked', 'scheduled'] : ['asked'];
  const running = new Set<Promise<void>>();
  /** Something is due whose host was full. */
  let hasPassedOver = false;

  async function run(taken: TakenTurn, heldHost: string | undefined): Promise<void> {
    const { sourceId } = taken;
    try {
      await fetch(taken, heldHost);
    } catch (error) {
      // Its turn comes again when the claim is over.
      if (error instanceof BackendUnavailable) log.warn(`a fetch waits: ${error.message}`, { sourceId });
      else log.error('a fetch could not be ended', { sourceId, error });
    }
  }

  function start(taken: TakenTurn, { turn, leave }: ChosenTurn): void {
    const work = run(taken, turn.doc.host).finally(() => {
      const isWaitedFor = running.size >= atOnceMax || hasPassedOver;
      running.delete(work);
      leave();
      if (isWaitedFor) onFree?.();
    });
    running.add(work);
  }

  /** The longest due first, as many as there are places for: here, and at their hosts as far as those are known. */
  async function choose(lane: FetchLane, places: number): Promise<ChosenTurn[]> {
    const chosen: ChosenTurn[] = [];
    try {
      let due = await turns.due(lane, places);
      for (let page = 1; ; page += 1) {
        for (const turn of due) {
          if (chosen.length === places) return chosen;
          const { host } = turn.doc;
          const leave = host === undefined ? () => {} : hosts.enter(host);
          if (leave === null) hasPassedOver = true;
          else chosen.push({ turn, leave });
        }
        const last = due.at(-1);
        if (chosen.length === places || last === undefined || page === lookAheadPages) return chosen;
        due = await turns.due(lane, pageSize, last);
      }
    } catch (error) {
      for (const { leave } of chosen) leave();
      throw error;
    }
  }

  async function beginLane(lane: FetchLane): Promise<number> {
    const places = atOnceMax - running.size;
    if (places <= 0) return 0;
    const chosen = await choose(lane, places);
    // Together, so that the store can write them together.
    const taken = await Promise.allSettled(chosen.map(({ turn }) => turns.take(turn)));
    for (const [index, one] of chosen.entries()) {
      const outcome = taken[index]!;
      if (outcome.status === 'fulfilled' && outcome.value !== null) start(outcome.value, one);
      else one.leave();
    }
    for (const outcome of taken) if (outcome.status === 'rejected') throw outcome.reason;
    return chosen.length;
  }

  return {
    begin: async () => {
      hasPassedOver = false;
      let found = 0;
      for (const lane of lanes) found += await beginLane(lane);
      return found;
    },
    nextMs: async () => {
      if (running.size >= atOnceMax || hasPassedOver) return null;
      const known = await Promise.all(lanes.map(turns.firstDueMs));
      const due = known.filter((ms) => ms !== null);
      return due.length === 0 ? null : Math.min(...due);
    },
    settled: async () => {
      while (running.size > 0) await Promise.all(running);
    },
  };
}
