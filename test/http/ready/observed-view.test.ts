import { afterAll, beforeAll, expect, it } from 'vitest';
import { releasesTags } from '../../../projections/tags-of-write.ts';
import { createWholeOrgTurns } from '../../../queries/past/in-turn.ts';
import { createTurns } from '../../../src/concurrency/turns.ts';
import { observeView } from '../../../src/http/ready/observed-view.ts';
import type { ReadView } from '../../../src/http/services.ts';
import { createFakeClock } from '../../spec/fake-clock.ts';
import { openSampleRegistry, type SampleRegistry } from '../../spec/worlds/sample-registry.ts';

let registry: SampleRegistry;
beforeAll(async () => {
  registry = await openSampleRegistry();
});
afterAll(() => registry.close());

const unread = async (): Promise<never> => {
  throw new Error('it was read');
};

const openView = (): ReadView => {
  const clock = createFakeClock();
  const { models, catalogue } = registry;
  return {
    models,
    catalogue,
    clock,
    longPageTurns: createTurns(clock, 1),
    wholeOrgTurns: createWholeOrgTurns(clock),
    streams: { read: unread, readMany: unread },
    fetchStates: unread,
    embeddedAt: unread,
    lastFetches: unread,
    newestFetches: unread,
    lastUses: unread,
    deliveryCounters: unread,
    webBaseUrl: 'https://registry.example',
  };
};

it.each(['small', 'large'] as const)(
  'an answer that somebody else read, of a %s org, depends on all of it',
  async (size) => {
    const view = openView();
    let end = () => {};
    const ended = new Promise<void>((resolve) => (end = resolve));
    const first = view.wholeOrgTurns[size].run('held', 1_000, () => ended);
    const joined = ['one', 'other'].map((name) => {
      const tags = new Set<string>();
      let others = 0;
      const { wholeOrgTurns } = observeView(view, { tags, contacts: new Set(), noteOthers: () => (others += 1) });
      const answer = wholeOrgTurns[size].run('same', 1_000, async () => name);
      return { answer, seen: () => ({ tags: [...tags].sort(), readsOthers: others > 0 }) };
    });
    end();
    await first;
    expect(await Promise.all(joined.map(({ answer }) => answer))).toEqual(['other', 'other']);
    const all = { tags: [...releasesTags].sort(), readsOthers: true };
    expect(joined.map(({ seen }) => seen())).toEqual([all, all]);
  },
);
