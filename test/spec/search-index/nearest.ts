import { expect, it } from 'vitest';
import type { SearchHit } from '../../../src/ports/search-index.ts';
import { createSeeded } from '../seeded.ts';
import {
  documentOf,
  nearList,
  openIndex,
  putOf,
  type SearchIndexesHarness,
  towards,
  vectorSpace,
  vectorsOf,
  wordsList,
} from './harness.ts';

export function specifyNearest(harness: SearchIndexesHarness): void {
  it('gives the nearest first, each document once and as near as its best entry', async () => {
    const { write, index } = await openIndex(await harness.make());
    await write(
      1,
      ...['far', 'near', 'mixed', 'bare'].map((id) => putOf('release', 1, documentOf(id))),
      vectorsOf('release', 1, 'far', towards(0, 0.8)),
      vectorsOf('release', 1, 'near', towards(0, 0.4), towards(10), towards(0, 0.5)),
      vectorsOf('release', 1, 'mixed', towards(12), towards(0, 0.1), towards(14)),
    );
    const hits = (await index.search([nearList(towards(0))]))[0]!.hits;
    expect(hits.map(({ id }) => id)).toEqual(['mixed', 'near', 'far']);
    expect(hits[0]!.score).toBeCloseTo(Math.cos(0.05 * Math.PI), 1);
    expect(hits[2]!.score).toBeCloseTo(Math.cos(0.4 * Math.PI), 1);
  });

  it('gives no cosine above 1 or below -1, however it rounds', async () => {
    const { write, index } = await openIndex(await harness.make());
    const seeded = createSeeded(31);
    const vectors = Array.from({ length: 20 }, () => towards(0).map(() => seeded.int(-1_000, 1_000) + 0.5));
    await write(
      1,
      ...vectors.flatMap((vector, number) => [
        putOf('release', 1, documentOf(`doc ${number}`)),
        vectorsOf('release', 1, `doc ${number}`, vector),
      ]),
    );
    const lists = vectors.flatMap((vector) => [nearList(vector), nearList(vector.map((value) => -value))]);
    const scores = (await index.search(lists)).flatMap(({ hits }) => hits.map(({ score }) => score));
    expect(Math.max(...scores)).toBeLessThanOrEqual(1);
    expect(Math.max(...scores)).toBeCloseTo(1, 3);
    expect(Math.min(...scores)).toBeGreaterThanOrEqual(-1);
  });

  it('gives what is nearest to any of several vectors, each document once and by the nearest of them', async () => {
    const { write, index } = await openIndex(await harness.make());
    await write(
      1,
      ...['first', 'second', 'both', 'neither'].map((id) => putOf('release', 1, documentOf(id))),
      vectorsOf('release', 1, 'first', towards(0, 0.4)),
      vectorsOf('release', 1, 'second', towards(12), towards(4, 0.2)),
      vectorsOf('release', 1, 'both', towards(0, 0.6), towards(4, 0.1)),
      vectorsOf('release', 1, 'neither', towards(8, 0.1)),
    );
    const anchors = [towards(0), towards(4), towards(0).map(() => 0)];
    const [{ hits }] = (await index.search([nearList(anchors)])) as [{ hits: readonly SearchHit[] }];
    expect(hits.map(({ id }) => id).slice(0, 3)).toEqual(['both', 'second', 'first']);
    expect(hits[0]!.score).toBeCloseTo(Math.cos(0.05 * Math.PI), 1);
    expect(hits[2]!.score).toBeCloseTo(Math.cos(0.2 * Math.PI), 1);
    expect((await index.search([nearList(anchors, { limit: 1 })]))[0]!.hits.map(({ id }) => id)).toEqual(['both']);
    expect((await index.search([nearList([towards(0).map(() => 0)])]))[0]!.hits).toEqual([]);
  });

  it('compares by direction alone, however long a vector is', async () => {
    const { write, findNear } = await openIndex(await harness.make());
    await write(
      1,
      ...['long', 'short'].map((id) => putOf('release', 1, documentOf(id))),
      vectorsOf(
        'release',
        1,
        'long',
        towards(0, 0.6).map((value) => value * 50),
      ),
      vectorsOf(
        'release',
        1,
        'short',
        towards(0, 0.2).map((value) => value / 50),
      ),
    );
    expect(await findNear(towards(0).map((value) => value * 7))).toEqual(['short', 'long']);
  });

  it('leaves out what waits for its vectors, and vectors of another space', async () => {
    const { write, findNear, index } = await openIndex(await harness.make());
    await write(1, ...['own', 'other', 'none', 'bare'].map((id) => putOf('release', 1, documentOf(id))));
    const other = { ...vectorsOf('release', 1, 'other', towards(0)), space: 'another space', model: 'another model' };
    expect(await findNear(towards(0))).toEqual([]);
    await write(null, vectorsOf('release', 1, 'own', towards(0, 0.5)), other, vectorsOf('release', 1, 'none'));
    expect(await findNear(towards(0))).toEqual(['own']);
    const start = { position: 0, id: '' };
    const waiting = await index.withoutVectors('release', { space: vectorSpace }, start, 10);
    expect(waiting).toEqual([
      { id: 'bare', position: 1 },
      { id: 'other', position: 1 },
    ]);
    expect(await index.vectorsOf('release', 'bare', vectorSpace)).toEqual([]);
    expect(await index.vectorsOf('release', 'none', vectorSpace)).toEqual([]);
    expect(await index.vectorsOf('release', 'other', vectorSpace)).toEqual([]);
    expect(await index.vectorsOf('release', 'other', 'another space')).toHaveLength(1);
    const [vector] = await index.vectorsOf('release', 'own', vectorSpace);
    for (const [axis, value] of towards(0, 0.5).entries()) expect(vector![axis]).toBeCloseTo(value, 1);
  });

  it('replaces the vectors of a document, also by some of another space', async () => {
    const { write, findNear } = await openIndex(await harness.make());
    await write(1, putOf('release', 1, documentOf('one')), vectorsOf('release', 1, 'one', towards(0), towards(4)));
    await write(null, vectorsOf('release', 1, 'one', towards(8)));
    const [[first], [second]] = [await findNear(towards(8)), await findNear(towards(0), { limit: 1 })];
    expect([first, second]).toEqual(['one', 'one']);
    await write(null, {
      ...vectorsOf('release', 1, 'one', towards(8)),
      space: 'another space',
      model: 'another model',
    });
    expect(await findNear(towards(8))).toEqual([]);
  });

  it('tells which vectors are not by a model, until that one has made them', async () => {
    const { write, index } = await openIndex(await harness.make());
    const start = { position: 0, id: '' };
    const waiting = async (model?: string) => {
      const found = await index.withoutVectors('source', { space: vectorSpace, ...(model && { model }) }, start, 10);
      return found.map(({ id }) => id).join();
    };
    await write(1, ...['quick', 'best', 'none'].map((id) => putOf('source', 1, documentOf(id))));
    expect(await waiting('better')).toBe('best,none,quick');
    const better = { ...vectorsOf('source', 1, 'best', towards(0)), model: 'better' };
    await write(null, vectorsOf('source', 1, 'quick', towards(0)), better);
    expect([await waiting(), await waiting('better')]).toEqual(['none', 'none,quick']);
    await write(null, { ...vectorsOf('source', 1, 'quick', towards(4)), model: 'better' });
    expect([await waiting(), await waiting('better')]).toEqual(['none', 'none']);
    await write(2, putOf('source', 2, documentOf('best')));
    expect([await waiting(), await waiting('better')]).toEqual(['none,best', 'none,best']);
  });

  it('leaves out vectors that were made of an outdated text, or of a document that is gone', async () => {
    const { write, findNear, index } = await openIndex(await harness.make());
    await write(1, putOf('release', 1, documentOf('one')), putOf('release', 1, documentOf('two')));
    await write(2, putOf('release', 2, documentOf('one')), {
      kind: 'delete',
      index: 'release',
      position: 2,
      id: 'two',
    });
    await write(
      null,
      vectorsOf('release', 1, 'one', towards(0)),
      vectorsOf('release', 1, 'two', towards(0)),
      vectorsOf('release', 1, 'three', towards(0)),
    );
    expect(await findNear(towards(0))).toEqual([]);
    expect(await index.count('release')).toBe(1);
    await write(null, vectorsOf('release', 2, 'one', towards(0)));
    expect(await findNear(towards(0))).toEqual(['one']);
    await write(3, putOf('release', 3, documentOf('one')));
    expect(await findNear(towards(0))).toEqual([]);
  });

  it('lists what waits for vectors in the order of positions, page by page', async () => {
    const { write, index } = await openIndex(await harness.make());
    const changes = Array.from({ length: 9 }, (_, number) =>
      putOf('chunk', 1 + (number % 3), documentOf(`doc ${number}`)),
    );
    await write(3, ...changes);
    await write(null, vectorsOf('chunk', 2, 'doc 4', towards(0)));
    const seen: string[] = [];
    let after = { position: 0, id: '' };
    for (;;) {
      const page = await index.withoutVectors('chunk', { space: vectorSpace }, after, 3);
      seen.push(...page.map(({ id }) => id.slice(4)));
      if (page.length === 0) break;
      after = page.at(-1)!;
    }
    expect(seen.join(' ')).toBe('0 3 6 1 7 2 5 8');
    expect(await index.withoutVectors('release', { space: vectorSpace }, { position: 0, id: '' }, 3)).toEqual([]);
  });

  it('gives as many as are asked for, also where one document has many near entries', async () => {
    const { write, findNear } = await openIndex(await harness.make());
    const crowd = Array.from({ length: 64 }, () => towards(0));
    const ids = Array.from({ length: 40 }, (_, number) => `doc ${number}`);
    for (const [number, id] of ids.entries()) {
      const entries = number < 20 ? crowd : [towards(0, 0.3 + number / 100)];
      await write(
        number + 1,
        putOf('release', number + 1, documentOf(id)),
        vectorsOf('release', number + 1, id, ...entries),
      );
    }
    const found = await findNear(towards(0), { limit: 40 });
    expect(new Set(found)).toEqual(new Set(ids));
    expect(found.slice(20)).toEqual(ids.slice(20));
  });

  it('gives by a larger limit the same first', async () => {
    const { write, findNear } = await openIndex(await harness.make());
    const ids = Array.from({ length: 30 }, (_, number) => `doc ${number}`);
    for (const [number, id] of ids.entries()) {
      await write(
        number + 1,
        putOf('release', number + 1, documentOf(id)),
        vectorsOf('release', number + 1, id, towards(0, number / 40)),
      );
    }
    for (const limit of [1, 5, 29, 30, 50]) expect(await findNear(towards(0), { limit })).toEqual(ids.slice(0, limit));
  });

  it('answers several lists of both kinds at once, as of one moment', async () => {
    const { write, ids } = await openIndex(await harness.make());
    await write(
      1,
      putOf('release', 1, documentOf('rel', { body: 'quokka' })),
      putOf('chunk', 1, documentOf('chunk', { body: 'quokka' })),
      vectorsOf('release', 1, 'rel', towards(0)),
      vectorsOf('chunk', 1, 'chunk', towards(0)),
    );
    const lists = [
      wordsList('quokka'),
      nearList(towards(0), { kind: 'chunk' }),
      wordsList('quokka', { kind: 'chunk' }),
      nearList(towards(0)),
    ];
    expect(await ids(...lists)).toEqual([['rel'], ['chunk'], ['chunk'], ['rel']]);
    expect(await ids()).toEqual([]);
    // Every write replaces the one document by another: whatever moment it is, all lists are of the same one.
    const writing = (async () => {
      for (let position = 2; position <= 40; position += 1) {
        const id = `rel ${position}`;
        const before = position === 2 ? 'rel' : `rel ${position - 1}`;
        await write(
          position,
          { kind: 'delete', index: 'release', position, id: before },
          putOf('release', position, documentOf(id, { body: 'quokka' })),
          vectorsOf('release', position, id, towards(0)),
        );
      }
    })();
    let isDone = false;
    const done = writing.finally(() => {
      isDone = true;
    });
    while (!isDone) {
      const [byWords, byVector] = await ids(wordsList('quokka'), nearList(towards(0)));
      expect(byWords).toHaveLength(1);
      expect(byVector).toEqual(byWords);
    }
    await done;
  });
}
