import { afterAll, beforeAll, expect, it } from 'vitest';
import type { EventStore } from '../../../src/ports/event-store.ts';
import { Difference } from '../compare/comparison.ts';
import { createFakeClock } from '../fake-clock.ts';
import { openInThreadEventStore } from '../in-thread-event-store.ts';
import { createSeeded } from '../seeded.ts';
import { createTempFolder, type TempFolder } from '../temp-folder.ts';
import { createTestRunners } from '../worlds/embedded-registry.ts';
import { failsAlike } from './fails-alike.ts';
import { createRandomHistory } from './random-history.ts';

let folder: TempFolder;
let store: EventStore;

beforeAll(() => {
  folder = createTempFolder();
  store = openInThreadEventStore(folder.path);
});
afterAll(async () => {
  await store.close();
  folder.remove();
});

it('can begin with any step, as one that is shrunk does', async () => {
  const clock = createFakeClock();
  const taken = new Set<string>();
  for (let seed = 1; seed <= 300; seed += 1) {
    const nothing = async () => {};
    const history = createRandomHistory({
      ...{ random: createSeeded(seed), clock, dateDueReleases: nothing, purgeAll: nothing },
      knownParts: { hasSource: async () => false, isProductThere: () => true },
      ...createTestRunners(store, clock),
    });
    taken.add(await history.step(100));
  }
  expect([...taken]).toEqual(expect.arrayContaining(['changeParts', 'renameOrg', 'addOrg', 'addStub', 'ingest']));
});

it('is shrunk to what fails as the whole did', () => {
  const difference = new Difference('the list of orgs: 2 instead of 3');
  expect(failsAlike(difference, new Difference('the feed: none'))).toBe(true);
  expect(failsAlike(difference, new TypeError('Cannot read properties of undefined'))).toBe(false);
  expect(failsAlike(new Error('database is locked'), difference)).toBe(false);
  expect(failsAlike(new Error('database is locked'), new Error('database is locked'))).toBe(true);
});
