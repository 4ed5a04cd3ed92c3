import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { releaseFeedProjection } from '../../../projections/release-feed/release-feed.ts';
import { createSharedPages, type SharedPages } from '../../../src/http/ready/shared-pages.ts';
import type { ReadModelSet } from '../../../src/ports/read-models.ts';
import { createFakeClock, type FakeClock } from '../../spec/fake-clock.ts';
import { countReads } from '../../spec/reads/counted-reads.ts';
import { openSampleRegistry, releaseIdOf, type SampleRegistry } from '../../spec/worlds/sample-registry.ts';

const keptMs = 50;
/** A multiple of the time that pages are kept. */
const dayMs = Date.parse('2026-03-01T00:00:00.000Z');

let registry: SampleRegistry;
let clock: FakeClock;
let stamp: number;
let later: (() => void)[];
let pages: SharedPages;
let models: ReadModelSet;
const { counts, beginAnew, deps } = countReads(() => registry);

beforeAll(async () => {
  registry = await openSampleRegistry();
  await registry.addOrg('acme');
  await registry.addSource('blog', 'acme');
  await registry.addRelease('one', 'blog', { publishedAt: new Date(dayMs - 5_000).toISOString() });
  await registry.addRelease('two', 'blog', { publishedAt: new Date(dayMs + 30).toISOString() });
});
afterAll(() => registry.close());

beforeEach(() => {
  clock = createFakeClock();
  stamp = 0;
  later = [];
  pages = createSharedPages({ clock, stamp: () => stamp, keptMs, runLater: (_ms, run) => void later.push(run) });
  models = pages.of(deps().models);
  beginAnew();
});

const idsUpTo = async (to: number): Promise<string[]> => {
  const query = { index: 'global', equals: { lane: 'stable' }, to, direction: 'descending', limit: 10 } as const;
  return (await models.of(releaseFeedProjection).query(query)).map(({ id }) => id);
};

describe('pages of the feed', () => {
  it('are read once for all who ask within a moment', async () => {
    const before = dayMs - 40;
    expect(await Promise.all([idsUpTo(before), idsUpTo(before + 1)])).toEqual([
      [releaseIdOf('one')],
      [releaseIdOf('one')],
    ]);
    clock.advance(keptMs - 1);
    await idsUpTo(before + 40);
    expect(counts.queries).toBe(1);
  });

  it('are read anew after a write, a moment later, when somebody has seen another, and when the clock was set back', async () => {
    const changes = [
      () => (stamp += 1),
      () => clock.advance(keptMs),
      () => pages.forget(),
      () => clock.advance(-1),
      () => later.splice(0).forEach((run) => run()),
    ];
    await idsUpTo(dayMs - 40);
    for (const [number, change] of changes.entries()) {
      change();
      await idsUpTo(dayMs - 40);
      expect(counts.queries).toBe(2 + number);
    }
  });

  it('show nothing before its date has come, to the millisecond', async () => {
    expect(await idsUpTo(dayMs + 29)).toEqual([releaseIdOf('one')]);
    expect(await idsUpTo(dayMs + 30)).toEqual([releaseIdOf('two'), releaseIdOf('one')]);
    expect(await idsUpTo(dayMs + 29)).toEqual([releaseIdOf('one')]);
  });
});
