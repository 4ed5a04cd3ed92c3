import type { Projection } from '../../kernel/projection.ts';
import type { Clock } from '../../ports/clock.ts';
import type { EventStore } from '../../ports/event-store.ts';
import type { ReadModel, ReadModels } from '../../ports/read-models.ts';
import { codeGenerationOf } from './generations.ts';

/** How fast somebody may work through the log without holding up those who follow its end. */
export interface LivePace {
  /** Events to take at once: fewer while the live read models are behind. */
  readonly eventsAtOnce: () => number;
  /** Waits until the live read models have seen all that is in the log now, or nearly all, but never for long. */
  readonly giveWay: (over: AbortSignal) => Promise<void>;
}

export interface LivePaceDeps {
  readonly store: Pick<EventStore, 'head'>;
  readonly readModels: ReadModels;
  readonly clock: Clock;
  /** The read models that must not fall behind, whoever feeds them. */
  readonly live: readonly Projection[];
  /** Positions by which they may be behind without being waited for; none when absent. */
  readonly mayBeBehind?: number;
}

const eventsAtOnceMax = 2_000;
const eventsAtOnceMin = 125;

const pollMs = 5;
/** After this long a step is taken all the same, so that an endless stream of writes does not keep a filling from its end. */
const waitMsMax = 250;

/** One of the live read models, as the last look found it. */
interface Watched {
  readonly model: ReadModel;
  readonly position: number;
  /** One that is behind and stands still is fed by nobody, or cannot be: waiting would not help it. */
  readonly isFed: boolean;
}

/**
 * The signal is what the stores say, the head and the checkpoints: so it holds for a projector in any process. Each read
 * model is watched for itself: one that stands still changes nothing for those that are fed.
 */
export function createLivePace({ store, readModels, clock, live, mayBeBehind = 0 }: LivePaceDeps): LivePace {
  let eventsAtOnce = eventsAtOnceMax;
  let watched: ReadonlyMap<string, Watched> = new Map();

  async function lookAt({ name, indexes }: Projection, generation: number): Promise<Watched> {
    const known = watched.get(name);
    const isKnown = known?.model.declaration.generation === generation;
    const model = isKnown ? known.model : await readModels.open({ name, generation, indexes });
    const position = await model.checkpoint();
    return { model, position, isFed: !isKnown || known.isFed || position > known.position };
  }

  /** One that is not live with these folds is not there for anybody to wait for. */
  async function look(): Promise<void> {
    const pointers = await readModels.pointers();
    const isOurs = ({ name, generation }: Projection) => codeGenerationOf(pointers[name] ?? -1) === generation;
    const seen = live
      .filter(isOurs)
      .map(async (each) => [each.name, await lookAt(each, pointers[each.name]!)] as const);
    watched = new Map(await Promise.all(seen));
  }

  const isBehind = (head: number): boolean =>
    [...watched.values()].some(({ isFed, position }) => isFed && position < head);

  async function waitFor(head: number, over: AbortSignal): Promise<void> {
    const before = watched;
    for (let waitedMs = 0; waitedMs < waitMsMax && isBehind(head) && !over.aborted; waitedMs += pollMs) {
      await clock.sleep(pollMs, over);
      await look();
    }
    const judge = ([name, one]: readonly [string, Watched]) => {
      const isFed = one.position >= head || one.position > (before.get(name)?.position ?? -1);
      return [name, { ...one, isFed }] as const;
    };
    watched = new Map([...watched].map(judge));
  }

  return {
    eventsAtOnce: () => eventsAtOnce,
    giveWay: async (over) => {
      if (live.length === 0) return;
      const head = (await store.head()) - mayBeBehind;
      await look();
      const mustWait = isBehind(head);
      eventsAtOnce = mustWait
        ? Math.max(eventsAtOnceMin, Math.floor(eventsAtOnce / 2))
        : Math.min(eventsAtOnceMax, eventsAtOnce * 2);
      if (mustWait) await waitFor(head, over);
    },
  };
}
