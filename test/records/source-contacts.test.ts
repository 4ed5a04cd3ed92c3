import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEmbeddedOperationalStore } from '../../src/adapters/embedded/operational-store/operational-store.ts';
import { toTimestamp } from '../../src/kernel/dates.ts';
import type { OperationalStore } from '../../src/ports/operational-store.ts';
import { createSourceContacts } from '../../src/records/source-contacts.ts';
import { createFakeClock } from '../spec/fake-clock.ts';
import { createTempFolder, type TempFolder } from '../spec/temp-folder.ts';

const clock = createFakeClock();
let folder: TempFolder;
let ops: OperationalStore;

beforeEach(async () => {
  folder = createTempFolder();
  const onFatal = (error: Error) => {
    throw error;
  };
  ops = await createEmbeddedOperationalStore({ folder: folder.path, clock, onFatal });
});
afterEach(async () => {
  await ops.close();
  folder.remove();
});

describe('contacts with sources', () => {
  it('that come at the same time are written together, and none waits for another one to be tried again', async () => {
    const outcomes: string[] = [];
    const counted: OperationalStore = {
      ...ops,
      transact: async (changes, lease) => {
        const outcome = await ops.transact(changes, lease);
        outcomes.push(outcome);
        return outcome;
      },
    };
    const contacts = await createSourceContacts(counted, clock);
    const sources = ['src_a', 'src_b', 'src_c'];
    const nowMs = clock.nowMs();
    const all = Array.from({ length: 30 }, (_, number) => contacts.recordIngest(sources[number % 3]!, nowMs + number));
    await Promise.all(all);
    expect(outcomes.every((outcome) => outcome === 'written')).toBe(true);
    expect(outcomes.length).toBeLessThanOrEqual(2);
    const states = await contacts.states(sources);
    expect(states.map(({ lastFetchedAt }) => lastFetchedAt)).toEqual([27, 28, 29].map((ms) => toTimestamp(nowMs + ms)));
  });

  it('are written also where one of the sources was changed by somebody else meanwhile', async () => {
    const rival = await createSourceContacts(ops, clock);
    let isFirst = true;
    const contacts = await createSourceContacts(
      {
        ...ops,
        transact: async (changes, lease) => {
          if (isFirst) await rival.recordRetier('src_b', 1_000);
          isFirst = false;
          return ops.transact(changes, lease);
        },
      },
      clock,
    );
    const sources = ['src_a', 'src_b', 'src_c'];
    await Promise.all(sources.map((sourceId) => contacts.recordIngest(sourceId, 2_000)));
    const states = await contacts.states(sources);
    expect(states.map(({ lastFetchedAt }) => lastFetchedAt)).toEqual(sources.map(() => toTimestamp(2_000)));
    expect(states[1]!.lastRetieredAt).toBe(toTimestamp(1_000));
  });

  it('of one source take effect in their order, each on what the one before has left', async () => {
    const contacts = await createSourceContacts(ops, clock);
    const nowMs = clock.nowMs();
    await Promise.all([
      contacts.recordRetier('src_a', nowMs),
      contacts.recordFetch('src_a', nowMs + 1_000),
      contacts.recordIngest('src_a', nowMs + 3_000),
      contacts.recordIngest('src_a', nowMs + 2_000), // by another clock, or overtaken
    ]);
    const [state] = await contacts.states(['src_a']);
    expect(state).toMatchObject({
      lastRetieredAt: toTimestamp(nowMs),
      lastPolledAt: toTimestamp(nowMs + 1_000),
      lastFetchedAt: toTimestamp(nowMs + 3_000),
    });
  });
});
