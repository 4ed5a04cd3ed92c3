import { createWholeOrgTurns } from '../../queries/past/in-turn.ts';
import { createTurns } from '../concurrency/turns.ts';
import type { KeptCatalogue } from '../catalogue/kept-catalogue.ts';
import { BackendUnavailable } from '../kernel/backend-unavailable.ts';
import { DomainError } from '../kernel/errors.ts';
import type { Projection } from '../kernel/projection.ts';
import type { LiveReadModels } from '../runtime/projector/live-read-models.ts';
import type { ReadView } from './services.ts';
import type { Clock } from '../ports/clock.ts';
import type { RunLater } from '../ports/run-later.ts';
import { createSharedPages } from './ready/shared-pages.ts';
import { createStampedAnswer } from '../concurrency/stamped-answer.ts';

/** How long a read waits for the position that it was given (contract 2.14). */
const positionWaitMs = 2_000;
/** How long a write waits to be shown: it is stored, so whoever is told 503 sooner has to find out what became of it. */
const ownWriteWaitMs = 10_000;
/** What another process projects is looked for that often, if anybody asks; what this one does is seen at once. */
const lookEachMs = 50;
/** So much later it may be seen. Until then nobody waits for a look: on a server it takes as long as a third of an answer. */
const othersNoticedMs = 400;

export interface ReadViews {
  readonly view: () => Promise<ReadView>;
  /** For an answer to a write, which is stored whatever becomes of the read models. */
  readonly viewAfter: (reads: readonly Projection[], position: number) => Promise<ReadView>;
  /** The next one is taken anew: somebody else has written. */
  readonly forget: () => void;
  /** Throws `projection_behind` when the read models do not get there in time. */
  readonly waitFor: (reads: readonly Projection[], position: number) => Promise<void>;
}

export function createReadViews(deps: {
  readonly live: LiveReadModels;
  readonly catalogues: KeptCatalogue;
  /** Throws when the read models were never built, and nobody here does it. */
  readonly requireBuilt: () => Promise<void>;
  /** Changes with everything that the projector of this process writes. */
  readonly stamp: () => number;
  /** Changes when other generations may be live than before, or something was written that this process does not tell of. */
  readonly switches: () => number;
  readonly clock: Clock;
  readonly runLater: RunLater;
  readonly streams: ReadView['streams'];
  readonly fetchStates: ReadView['fetchStates'];
  readonly lastFetches: ReadView['lastFetches'];
  readonly newestFetches: ReadView['newestFetches'];
  readonly lastUses: ReadView['lastUses'];
  readonly embeddedAt: ReadView['embeddedAt'];
  readonly deliveryCounters: ReadView['deliveryCounters'];
  /** Read models were seen past a position that somebody asked for. */
  readonly onPassed: (reads: readonly Projection[], position: number) => Promise<void>;
  readonly webBaseUrl: string;
}): ReadViews {
  const { live, catalogues, requireBuilt, stamp, switches, clock, runLater, onPassed, ...others } = deps;
  const longPageTurns = createTurns(clock, 1);
  const wholeOrgTurns = createWholeOrgTurns(clock);
  const pages = createSharedPages({ clock, stamp, keptMs: lookEachMs, runLater });
  const kept = { keptMs: lookEachMs, lateMs: othersNoticedMs };
  let told: { readonly catalogue: ReadView['catalogue']; readonly stamp: number } | null = null;
  /** With what anybody has written. What this process writes is brought in as it is told; looked for again and again is the rest. */
  const looked = createStampedAnswer({ clock, stamp: switches, ...kept }, async (): Promise<ReadView> => {
    const models = await live.current();
    if (models === null) {
      await requireBuilt();
      throw new DomainError('service_unavailable');
    }
    const catalogue = await catalogues.of(models);
    const stamped = stamp(); // before: what is written meanwhile is brought in for whoever asks next
    await catalogue.refresh();
    told = { catalogue, stamp: stamped };
    pages.forget(); // what was read before may be older than what is known now
    return { models: pages.of(models), catalogue, clock, longPageTurns, wholeOrgTurns, ...others };
  });
  const view = async (): Promise<ReadView> => {
    const known = await looked.get();
    const { catalogue } = known;
    const stamped = stamp(); // before it is brought in, as in a look
    if (told?.catalogue !== catalogue || told.stamp !== stamped) {
      await catalogue.refreshTold();
      told = { catalogue, stamp: stamped };
    }
    return known;
  };
  const forget = (): void => {
    looked.forget();
    pages.forget();
  };

  const waitUpTo = async (waitMs: number, reads: readonly Projection[], position: number): Promise<void> => {
    if (await live.waitFor(reads, position, waitMs)) {
      // The projector of another process may have got there after the last look.
      if (!live.isToldHere(reads, position)) forget();
      await onPassed(reads, position);
      return;
    }
    throw new DomainError('projection_behind', { requested: position, position: await live.lowestPosition(reads) });
  };

  return {
    view,
    forget,
    waitFor: (reads, position) => waitUpTo(positionWaitMs, reads, position),
    viewAfter: async (reads, position) => {
      try {
        await waitUpTo(ownWriteWaitMs, reads, position);
        return await view();
      } catch (error) {
        if (!(error instanceof BackendUnavailable)) throw error;
        // The caller must not take it for refused and send it again: it is stored, and only cannot be shown.
        throw new DomainError('projection_behind', { requested: position, position: null });
      }
    },
  };
}
