import { expect, it } from 'vitest';
import type { SearchFilter } from '../../../src/ports/search-index.ts';
import {
  documentOf,
  nearList,
  openIndex,
  type OpenedIndex,
  putOf,
  type SearchIndexesHarness,
  towards,
  vectorsOf,
  wordsList,
} from './harness.ts';

const count = 300;
const dayMs = 86_400_000;
const numbers = Array.from({ length: count }, (_, number) => number);
const sourceOf = (number: number) => `src_${number % 50}`;
const publishedMsOf = (number: number) => (number % 10 === 0 ? null : number * dayMs);
const isCoverageOf = (number: number) => number % 3 === 0;
const idOf = (number: number) => `doc ${number}`;

async function fill(opened: OpenedIndex): Promise<void> {
  const changes = numbers.flatMap((number) => [
    putOf(
      'release',
      1,
      documentOf(idOf(number), {
        body: 'quokka',
        sourceId: sourceOf(number),
        publishedMs: publishedMsOf(number),
        isCoverage: isCoverageOf(number),
      }),
    ),
    vectorsOf('release', 1, idOf(number), towards(0, number / (2 * count))),
  ]);
  await opened.write(1, ...changes);
}

interface Case {
  readonly what: string;
  readonly filter: Partial<SearchFilter>;
  readonly passes: (number: number) => boolean;
}

const dated = (number: number, from: number, to: number): boolean => {
  const publishedMs = publishedMsOf(number);
  return publishedMs !== null && publishedMs >= from * dayMs && publishedMs <= to * dayMs;
};
const manySources = numbers.slice(0, 45).map(sourceOf);

const cases: readonly Case[] = [
  { what: 'one source', filter: { sources: { in: new Set(['src_7']) } }, passes: (n) => n % 50 === 7 },
  { what: 'many sources', filter: { sources: { in: new Set(manySources) } }, passes: (n) => n % 50 < 45 },
  { what: 'sources left out', filter: { sources: { notIn: new Set(manySources) } }, passes: (n) => n % 50 >= 45 },
  { what: 'a source that has nothing', filter: { sources: { in: new Set(['src_none']) } }, passes: () => false },
  { what: 'no source', filter: { sources: { in: new Set() } }, passes: () => false },
  { what: 'unknown sources left out', filter: { sources: { notIn: new Set(['src_none']) } }, passes: () => true },
  { what: 'no coverage', filter: { withCoverage: false }, passes: (n) => !isCoverageOf(n) },
  { what: 'from a day on', filter: { fromMs: 250 * dayMs }, passes: (n) => dated(n, 250, count) },
  { what: 'until a day', filter: { toMs: 21 * dayMs }, passes: (n) => dated(n, 0, 21) },
  { what: 'one day', filter: { fromMs: 77 * dayMs, toMs: 77 * dayMs }, passes: (n) => dated(n, 77, 77) },
  {
    what: 'some days, or undated',
    filter: { fromMs: 71 * dayMs, toMs: 79 * dayMs, keepsUndated: true },
    passes: (n) => publishedMsOf(n) === null || dated(n, 71, 79),
  },
  {
    what: 'until a day, or undated',
    filter: { toMs: 21 * dayMs, keepsUndated: true },
    passes: (n) => publishedMsOf(n) === null || dated(n, 0, 21),
  },
  {
    what: 'all but some sources',
    filter: { sources: { notIn: new Set(manySources) }, withBare: true },
    passes: (n) => n % 50 >= 45,
  },
  { what: 'all but coverage', filter: { withCoverage: false, withBare: true }, passes: (n) => !isCoverageOf(n) },
  {
    what: 'some documents left out',
    filter: { except: new Set(['doc 0', 'doc 299', 'doc none']) },
    passes: (n) => n !== 0 && n !== 299,
  },
  {
    what: 'all of it',
    filter: {
      sources: { in: new Set(manySources) },
      fromMs: 100 * dayMs,
      toMs: 200 * dayMs,
      withCoverage: false,
      except: new Set(['doc 101']),
    },
    passes: (n) => n % 50 < 45 && dated(n, 100, 200) && !isCoverageOf(n) && n !== 101,
  },
];

export function specifyFiltering(harness: SearchIndexesHarness): void {
  it('leaves out before it counts: as many as are asked for come back, if there are as many', async () => {
    const opened = await openIndex(await harness.make());
    await fill(opened);
    for (const { what, filter, passes } of cases) {
      const expected = numbers.filter(passes).map(idOf);
      for (const limit of [3, count]) {
        const options = { filter, limit };
        const [words, near] = await opened.ids(wordsList('quokka', options), nearList(towards(0), options));
        expect(near, what).toEqual(expected.slice(0, limit)); // in the order of their numbers
        expect(words, what).toHaveLength(Math.min(limit, expected.length));
        expect(
          words!.filter((id) => !expected.includes(id)),
          what,
        ).toEqual([]);
      }
    }
  });

  it('leaves out what is dated a moment later, however much of it is nearer', async () => {
    const opened = await openIndex(await harness.make());
    const minutes = Array.from({ length: 50 }, (_, minute) => minute);
    const changes = minutes.flatMap((minute) => [
      putOf('release', 1, documentOf(idOf(minute), { publishedMs: 900 * dayMs + minute * 60_000 })),
      vectorsOf('release', 1, idOf(minute), towards(0, (50 - minute) / 100)),
    ]);
    await opened.write(1, ...changes);
    for (const last of [49, 45, 9]) {
      const latestFirst = minutes.filter((minute) => minute <= last).toReversed();
      const toMs = 900 * dayMs + last * 60_000;
      for (const except of [[], [last], latestFirst.slice(3, 27)]) {
        const expected = latestFirst.filter((minute) => !except.includes(minute)).map(idOf);
        for (const limit of [2, 7, 60]) {
          const filter = { toMs, keepsUndated: true, except: new Set(except.map(idOf)) };
          expect(await opened.findNear(towards(0), { filter, limit })).toEqual(expected.slice(0, limit));
        }
      }
    }
  });

  it('finds what is near to one of several vectors behind all that is dated a moment later', async () => {
    const opened = await openIndex(await harness.make());
    const near = (number: number, publishedMs: number, vector: Float32Array) => [
      putOf('release', 1, documentOf(idOf(number), { publishedMs })),
      vectorsOf('release', 1, idOf(number), vector),
    ];
    const changes = numbers.slice(0, 80).flatMap((number) => {
      if (number < 60) return near(number, 900 * dayMs + 120_000, towards(0, number / 600));
      // Those that may be found are further away, and those by the other vector are the furthest.
      return near(number, 1, number < 70 ? towards(0, 0.2 + number / 600) : towards(4, 0.5 + number / 600));
    });
    await opened.write(1, ...changes);
    const filter = { toMs: 900 * dayMs + 60_000, keepsUndated: true };
    const [found] = await opened.ids(nearList([towards(0), towards(4)], { filter, limit: 9 }));
    expect(found).toEqual(numbers.slice(60, 69).map(idOf));
  });

  it('leaves out what says nothing, unless it is wanted', async () => {
    const opened = await openIndex(await harness.make());
    await opened.write(
      1,
      putOf('release', 1, documentOf('told', { title: 'quokka' })),
      putOf('release', 1, documentOf('bare', { title: 'quokka', isBare: true })),
      vectorsOf('release', 1, 'told', towards(0, 0.1)),
      vectorsOf('release', 1, 'bare', towards(0)),
    );
    const both = (filter: Partial<SearchFilter>) =>
      opened.ids(wordsList('quokka', { filter }), nearList(towards(0), { filter }));
    expect(await both({})).toEqual([['told'], ['told']]);
    const [words, near] = await both({ withBare: true });
    expect([words!.sort(), near]).toEqual([
      ['bare', 'told'],
      ['bare', 'told'],
    ]);
    const wanted = { tokens: ['quokka'], isPrefix: false };
    expect([...(await opened.index.matching('release', ['told', 'bare'], wanted))].sort()).toEqual(['bare', 'told']);
  });

  it('follows a document whose source, date or lane changes', async () => {
    const opened = await openIndex(await harness.make());
    const both = async (filter: Partial<SearchFilter>) =>
      (await opened.ids(wordsList('quokka', { filter }), nearList(towards(0), { filter }))).flat();
    const put = async (position: number, fields: Parameters<typeof documentOf>[1]) => {
      const doc = documentOf('one', { body: 'quokka', ...fields });
      await opened.write(position, putOf('release', position, doc), vectorsOf('release', position, 'one', towards(0)));
    };
    const early = { toMs: 5 * dayMs };
    await put(1, { publishedMs: 9 * dayMs, isCoverage: true });
    expect(await both(early)).toEqual([]);
    expect(await both({ withCoverage: false })).toEqual([]);
    await put(2, { publishedMs: 3 * dayMs, isCoverage: false });
    expect(await both(early)).toEqual(['one', 'one']);
    expect(await both({ withCoverage: false })).toEqual(['one', 'one']);
    await put(3, { sourceId: 'src_b' });
    expect(await both(early)).toEqual([]);
    expect(await both({ sources: { in: new Set(['src_a']) } })).toEqual([]);
    expect(await both({ sources: { in: new Set(['src_b']) } })).toEqual(['one', 'one']);
  });
}
