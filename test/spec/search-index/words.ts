import { expect, it } from 'vitest';
import type { SearchFilter } from '../../../src/ports/search-index.ts';
import { documentOf, openIndex, putOf, type SearchIndexesHarness, wordsList } from './harness.ts';
import { tokenExamples } from './token-examples.ts';

const dayMs = 86_400_000;

/** What anybody might type, and what a store might take for its own syntax. */
const hostileQueries = [
  '"',
  '""',
  '"unclosed',
  "'; DROP TABLE state; --",
  'a OR b AND NOT c',
  'NEAR(a b, 2)',
  'NOT',
  'AND OR',
  'title : a',
  '{title body} : a',
  '^a',
  'a*',
  '*',
  '**a**',
  'a + b',
  '-a',
  '--',
  '(',
  ')))',
  '[a]',
  '{a}',
  'a\\',
  '\\"',
  '%',
  '_',
  '?',
  '~',
  '&& ||',
  '<script>',
  'a:b',
  'a/b/../c',
  '\u0000a',
  '\ud800',
  '\ufffd',
  '\u202eabc',
  '👩‍👩‍👧‍👦',
  'مرحبا "بالعالم"',
  'x',
  'ﷺ',
  '!@#$%^&*()_+'.repeat(34).slice(0, 400),
  'ab '.repeat(133),
  'é'.repeat(400),
  '修'.repeat(400),
  'a.'.repeat(200),
];

export function specifyWords(harness: SearchIndexesHarness): void {
  it('finds a text by what it is called, and by nothing else', async () => {
    const { write, ids } = await openIndex(await harness.make());
    const texts = [...new Set(tokenExamples.map(({ text }) => text))];
    const idOf = (text: string) => `text ${texts.indexOf(text)}`;
    await write(1, ...texts.map((text) => putOf('release', 1, documentOf(idOf(text), { body: text }))));
    const lists = tokenExamples.map(({ query, isPrefix = false }) => ({
      kind: 'release' as const,
      filter: { sources: { notIn: new Set<string>() }, withCoverage: true },
      limit: texts.length,
      words: { tokens: query.split(' '), isPrefix },
    }));
    const found = await ids(...lists);
    const seen = tokenExamples.map((example, index) => ({
      ...example,
      matches: found[index]!.includes(idOf(example.text)),
    }));
    expect(seen).toEqual(tokenExamples);
  });

  it('finds nothing by a query that holds nothing to look for', async () => {
    const { putAll, find } = await openIndex(await harness.make());
    await putAll(1, [documentOf('one', { body: 'a text - with & marks "…"' })]);
    for (const query of ['', '-', '& "…"', '!@#$%^&*()'.repeat(40)]) expect(await find(query)).toEqual([]);
  });

  it('answers whatever is typed, with a prefix and without', async () => {
    const { putAll, find } = await openIndex(await harness.make());
    await putAll(1, [documentOf('one', { title: 'a', body: 'a OR b AND NOT c NEAR x' })]);
    for (const query of hostileQueries) {
      for (const isPrefix of [false, true]) expect(await find(query, { isPrefix })).toBeInstanceOf(Array);
    }
    expect(await find('a OR b AND NOT c')).toEqual(['one']);
    expect(await find('a OR d')).toEqual([]);
    expect(await find('title:a')).toEqual([]);
  });

  it('keeps what is typed with the text, whatever stands around it', async () => {
    const { putAll, find } = await openIndex(await harness.make());
    const texts = hostileQueries.map((text, number) => documentOf(`text ${number}`, { body: text }));
    await putAll(1, texts);
    for (const [number, { texts: held }] of texts.entries()) {
      const hits = await find(held.body, { limit: texts.length });
      if (/[\p{L}\p{N}\p{Extended_Pictographic}]/u.test(held.body)) expect(hits).toContain(`text ${number}`);
    }
  });

  it('puts a word of the title before one of the names, and that before one of the body', async () => {
    const { putAll, find } = await openIndex(await harness.make());
    const filler = 'and many other words that say nothing of it';
    await putAll(1, [
      documentOf('body', { title: filler, names: filler, body: `quokka ${filler}` }),
      documentOf('names', { title: filler, names: `quokka ${filler}`, body: filler }),
      documentOf('title', { title: `quokka ${filler}`, names: filler, body: filler }),
      documentOf('nowhere', { title: filler, names: filler, body: filler }),
    ]);
    expect(await find('quokka')).toEqual(['title', 'names', 'body']);
  });

  it('finds tokens that stand in different parts of a document', async () => {
    const { putAll, find } = await openIndex(await harness.make());
    await putAll(1, [
      documentOf('one', { title: 'v2.0.0', names: 'quokka', body: 'leaps' }),
      documentOf('two', { names: 'quokka' }),
    ]);
    expect(await find('quokka 2.0 leaps')).toEqual(['one']);
  });

  it('looks only where it is told to', async () => {
    const { write, index } = await openIndex(await harness.make());
    const doc = (id: string, texts: object) => putOf('release', 1, documentOf(id, texts));
    await write(
      1,
      doc('title', { title: 'Quokka', body: 'leaps' }),
      doc('names', { names: 'Quokka', body: 'leaps' }),
      doc('body', { body: 'Quokka leaps' }),
    );
    const fields = ['title', 'body'] as const;
    const sets = [{ notIn: new Set<string>() }, { in: new Set(['src_a']) }];
    for (const tokens of [['quokka'], ['quokka', 'leaps'], ['quo']]) {
      const words = { tokens, isPrefix: true, fields };
      const lists = sets.map((sources) => ({
        kind: 'release' as const,
        filter: { sources, withCoverage: true },
        limit: 10,
        words,
      }));
      for (const { hits } of await index.search(lists)) {
        expect(hits.map(({ id }) => id).sort()).toEqual(['body', 'title']);
      }
      expect(await index.matching('release', ['title', 'names', 'body'], words)).toEqual(new Set(['title', 'body']));
    }
  });

  it('finds nothing by what the store calls its own things', async () => {
    const { putAll, find } = await openIndex(await harness.make());
    await putAll(1, [documentOf('one', { title: 'quokka' })]);
    for (const query of ['s0', 's1', 's2', '~0', '~1', '~2', '0', '1', '2', 'src_a']) {
      for (const isPrefix of [false, true]) expect(await find(query, { isPrefix })).toEqual([]);
    }
  });

  it('gives no more than the limit, and by a larger one the same first', async () => {
    const { putAll, find } = await openIndex(await harness.make());
    const docs = Array.from({ length: 60 }, (_, number) =>
      documentOf(`doc ${String(number).padStart(2, '0')}`, { body: `quokka ${'filler '.repeat(number)}` }),
    );
    await putAll(1, docs);
    const whole = await find('quokka', { limit: 100 });
    expect([...whole].sort()).toEqual(docs.map(({ id }) => id));
    for (const limit of [1, 7, 20, 40, 59]) expect(await find('quokka', { limit })).toEqual(whole.slice(0, limit));
  });

  it('puts the newest first of those that rank alike, then by id, and by a larger limit the same first', async () => {
    const { write, find, ids } = await openIndex(await harness.make());
    // Within one day, on several days and without a date, and written in another order than any of those.
    const dates = [null, 5, 3, 9, 9, dayMs + 1, dayMs + 7, dayMs + 4, 40 * dayMs, 40 * dayMs - 1];
    const docs = dates.flatMap((publishedMs, number) =>
      ['b', 'a', 'c'].map((letter) => documentOf(`${letter}${9 - number}`, { body: 'quokka', publishedMs })),
    );
    await write(1, ...docs.map((doc) => putOf('release', 1, doc)));
    const byDate = docs.toSorted(
      (one, other) => (other.publishedMs ?? -1) - (one.publishedMs ?? -1) || (one.id < other.id ? -1 : 1),
    );
    const expected = byDate.map(({ id }) => id);
    for (const limit of [1, 2, 4, 11, 20, 29, 50])
      expect(await find('quokka', { limit })).toEqual(expected.slice(0, limit));
    const filter = { fromMs: 4, toMs: dayMs + 4, keepsUndated: true };
    const within = byDate.filter(({ publishedMs: at }) => at === null || (at >= filter.fromMs && at <= filter.toMs));
    const [found] = await ids(wordsList('quokka', { filter }));
    expect(found).toEqual(within.map(({ id }) => id));
  });

  it('requires every word of the longest query, whole or begun', async () => {
    const { putAll, find, index } = await openIndex(await harness.make());
    // As many as 400 characters can hold, and more than are ranked by.
    const typed = Array.from({ length: 200 }, (_, number) => (number + 36 ** 2).toString(36));
    const written = (words: readonly string[]) => ({ title: words[0]!, body: words.slice(1).join(' ') });
    await putAll(1, [documentOf('all', written(typed)), documentOf('all but the last', written(typed.slice(0, -1)))]);
    expect(await find(typed.join(' '))).toEqual(['all']);
    expect(await find(typed.slice(0, -1).join(' '))).toHaveLength(2);
    expect(await find(typed.join(' '), { isPrefix: true })).toEqual(['all']);
    const both = ['all', 'all but the last'];
    for (const isPrefix of [false, true]) {
      const words = { tokens: typed, isPrefix };
      expect(await index.matching('release', both, words)).toEqual(new Set(['all']));
    }
  });

  it('finds as many as are asked for where any order will do', async () => {
    const { putAll, index } = await openIndex(await harness.make());
    const docs = Array.from({ length: 60 }, (_, number) =>
      documentOf(`doc ${number}`, {
        title: number % 2 === 0 ? 'quokka leaps' : 'quokka',
        sourceId: `src_${number % 30}`,
        publishedMs: number % 5 === 0 ? null : number * dayMs,
      }),
    );
    await putAll(1, docs);
    const leaping = docs.filter((_, number) => number % 2 === 0).map(({ id }) => id);
    const find = async (limit: number, sources: SearchFilter['sources']) => {
      const filter = { sources, withCoverage: true };
      const words = { tokens: ['leap', 'quo'], isPrefix: true };
      const [found] = await index.search([{ kind: 'release', filter, limit, words, inAnyOrder: true }]);
      return found!.hits.map(({ id }) => id);
    };
    const everywhere = { notIn: new Set<string>() };
    expect((await find(60, everywhere)).sort()).toEqual([...leaping].sort());
    expect(await find(60, { in: new Set(['src_2', 'src_3']) })).toHaveLength(2);
    const some = await find(7, everywhere);
    expect(new Set(some).size).toBe(7);
    expect(some.filter((id) => !leaping.includes(id))).toEqual([]);
    expect(await find(0, everywhere)).toEqual([]);
  });

  it('says which of some documents have all the words', async () => {
    const { putAll, index } = await openIndex(await harness.make());
    await putAll(1, [
      documentOf('both', { title: 'quokka', body: 'leaps' }),
      documentOf('one', { body: 'quokka' }),
      documentOf('also', { body: 'quokka leaps' }),
    ]);
    const words = { tokens: ['Quokka', 'leaps'], isPrefix: false };
    expect(await index.matching('release', ['one', 'both', 'gone'], words)).toEqual(new Set(['both']));
    expect(await index.matching('chunk', ['both'], words)).toEqual(new Set());
    const begun = { tokens: ['quo'], isPrefix: true };
    expect(await index.matching('release', ['one', 'gone'], begun)).toEqual(new Set(['one']));
    expect(await index.matching('release', ['one'], { tokens: ['&'], isPrefix: false })).toEqual(new Set());
    expect(await index.matching('release', [], words)).toEqual(new Set());
    const many = Array.from({ length: 450 }, (_, number) =>
      documentOf(`doc ${number}`, {
        body: number % 3 === 0 ? 'quokka leaps' : 'quokka',
        sourceId: `src_${number % 300}`,
        publishedMs: number % 5 === 0 ? null : number * 86_400_000,
      }),
    );
    await putAll(2, many);
    const asked = many.map(({ id }) => id).slice(7);
    const expected = asked.filter((id) => Number(id.slice('doc '.length)) % 3 === 0);
    expect(await index.matching('release', asked, words)).toEqual(new Set(expected));
  });
}
