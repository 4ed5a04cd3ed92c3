import { systemRandom } from '../../../src/adapters/system/random.ts';
import { type IndexedRelease, release } from '../../../src/domain/release/state.ts';
import { foldEvents } from '../../../src/kernel/model.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import type { EventStore } from '../../../src/ports/event-store.ts';
import type { CoverageServices } from '../../../src/use-cases/coverage-services.ts';
import { linkCoverage } from '../../../src/use-cases/link-coverage.ts';
import { unlinkCoverage } from '../../../src/use-cases/unlink-coverage.ts';
import { newEvent } from '../events/events.ts';
import { indexed } from '../events/release-events.ts';
import { createTestRunners, requestOf } from './embedded-registry.ts';

/** Releases that may cover each other, over a store. Each writer has runners of its own, as another process would. */
export const openCoverageWorld = (store: EventStore, clock: Clock) => {
  let lastRequest = 0;
  const nextRequest = () => requestOf((lastRequest += 1));
  const writer = (through: EventStore = store): CoverageServices => ({
    ...createTestRunners(through, clock),
    clock,
    random: systemRandom,
  });

  const stateOf = async (id: string): Promise<IndexedRelease | null> => {
    const state = foldEvents(release, (await store.read(`release-${id}`)).events);
    return state.status === 'indexed' ? state : null;
  };

  return {
    nextRequest,
    writer,
    stateOf,
    addRelease: async (id: string): Promise<string> => {
      const { type, data } = indexed(`src_${'S'.repeat(21)}`);
      await store.append({ stream: `release-${id}`, expectedVersion: 0, events: [newEvent(type, data)] });
      return id;
    },
    link: (services: CoverageServices, canonicalId: string, ...coverageIds: string[]) =>
      linkCoverage(services, { canonicalId, coverageIds, decidedBy: 'human:test' }, nextRequest()),
    unlink: (services: CoverageServices, id: string) => unlinkCoverage(services, id, nextRequest()),
    canonicalOf: async (id: string): Promise<string | null> => (await stateOf(id))?.coverage.link?.canonicalId ?? null,
  };
};

export type CoverageWorld = ReturnType<typeof openCoverageWorld>;
