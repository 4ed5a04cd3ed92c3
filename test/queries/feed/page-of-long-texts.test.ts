import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fitting, wholePageCharsMax } from '../../../queries/feed/release-feed-answer.ts';
import { sourceReleasesPage } from '../../../queries/sources/source-releases-page.ts';
import { createTurns, type Turns } from '../../../src/concurrency/turns.ts';
import { indexed } from '../../spec/events/release-events.ts';
import { eventually } from '../../spec/eventually.ts';
import { createFakeClock } from '../../spec/fake-clock.ts';
import { openSampleRegistry, releaseIdOf, type SampleRegistry, sourceIdOf } from '../../spec/worlds/sample-registry.ts';

const rowsOf = (chars: readonly (number | null)[]) =>
  chars.map((contentChars) => ({ given: {}, derived: { contentChars } }));

it.each([
  [[5, 5, null, 1], 10, 3],
  [[5, 5, null], 10, 3],
  [[50, 1], 10, 1],
  [[10, 1], 10, 1],
  [[1, 50, 1], 10, 1],
  [[], 10, 0],
])('of texts with %j characters those that fit into %i are %i, and at least one', (chars, max, count) => {
  expect(fitting(rowsOf(chars), max)).toHaveLength(count);
});

it('counts what is said of pictures, too', () => {
  const url = 'https://media.example/';
  const media = [
    { type: 'image' as const, url, alt: 'x'.repeat(28) },
    { type: 'video' as const, url },
  ];
  const rows = [1, 2, 3].map(() => ({ given: { media }, derived: { contentChars: 20 } })); // of 92 characters each
  expect(fitting(rows, 183)).toHaveLength(1);
  expect(fitting(rows, 184)).toHaveLength(2);
});

describe('a page by its number', () => {
  /** A page has room for two of them. Nobody looks at how long they really are. */
  const contentChars = 4_000_000;
  const names = ['e', 'd', 'c', 'b', 'a'];
  const nowMs = Date.parse('2026-03-15T12:00:00.000Z');
  let registry: SampleRegistry;

  beforeAll(async () => {
    registry = await openSampleRegistry();
    await registry.addSource('long', null);
    for (const name of names) {
      const event = indexed(sourceIdOf('long'), { title: name }, { derived: { contentChars } });
      await registry.record(`release-${releaseIdOf(name)}`, [event]);
    }
    await registry.catalogue.refresh();
  });
  afterAll(() => registry.close());

  const open = () => {
    const clock = createFakeClock();
    const turns = createTurns(clock, 1);
    let asked = 0;
    const longPageTurns: Turns = {
      run: (withinMs, work) => {
        asked += 1;
        return turns.run(withinMs, work);
      },
    };
    const deps = { ...registry, longPageTurns, webBaseUrl: 'https://registry.example' };
    const lanes = { includePrereleases: false, includeCoverage: false };
    const titlesOn = async (page: number, pageSize: number, slug = 'long') => {
      const source = registry.catalogue.source(sourceIdOf(slug))!;
      const answer = await sourceReleasesPage(
        deps,
        { source, page, pageSize, sent: {}, ...lanes },
        { nowMs, admin: false },
      );
      return answer.releases.map(({ title }) => title);
    };
    return { clock, turns, asked: () => asked, titlesOn };
  };

  it('is whole, however long its texts are', async () => {
    const { titlesOn } = open();
    expect(await titlesOn(1, 3)).toEqual(['e', 'd', 'c']);
    expect(await titlesOn(2, 3)).toEqual(['b', 'a']);
    expect(await titlesOn(1, 5)).toEqual(names);
  });

  it('is refused where it would be too long to hold, with what to do instead', async () => {
    const { titlesOn } = open();
    await registry.addSource('longest', null);
    for (const name of ['v', 'w', 'x']) {
      const event = indexed(
        sourceIdOf('longest'),
        { title: name },
        { derived: { contentChars: wholePageCharsMax / 2 } },
      );
      await registry.record(`release-${releaseIdOf(name)}`, [event]);
    }
    await registry.catalogue.refresh();
    const tooLong = { code: 'invalid_parameter', details: { parameter: 'pageSize' } };
    await expect(titlesOn(1, 3, 'longest')).rejects.toMatchObject(tooLong);
    expect(await titlesOn(1, 2, 'longest')).toHaveLength(2);
  });

  it('waits for its turn when it is a long one, and not for ever', async () => {
    const { clock, turns, asked, titlesOn } = open();
    let end = () => {};
    const other = turns.run(0, () => new Promise<void>((resolve) => (end = resolve)));
    expect(await titlesOn(1, 2)).toEqual(['e', 'd']);
    expect(asked()).toBe(0);
    const refused = expect(titlesOn(1, 3)).rejects.toMatchObject({ code: 'service_unavailable' });
    await eventually('the long one waits', () => asked() === 1);
    clock.advance(10_000);
    await refused;
    const later = titlesOn(1, 3);
    end();
    await other;
    expect(await later).toEqual(['e', 'd', 'c']);
  });
});
