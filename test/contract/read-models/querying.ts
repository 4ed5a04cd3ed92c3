import { expect, it } from 'vitest';
import { type Change, deleteWhere, type KeyValue, patchWhere, put, remove } from '../../../src/kernel/projection.ts';
import type { IndexQuery } from '../../../src/ports/read-models.ts';
import { openThings, type ReadModelsHarness, type Thing, thing } from './harness.ts';
import { inIndexOrder } from '../key-order.ts';
import { countIn } from '../../spec/worlds/read-model-documents.ts';

// Code units would sort the last two of the texts the other way round; a collation would mix the cases.
const values: readonly KeyValue[] = [null, -1.5, 0, 10, 1e15, '', '10', 'B', 'a', 'é', '\uffff', '😀'];

/** Every pair of lane and rank, each twice. */
const mixedThings: readonly Thing[] = values.flatMap((lane, i) =>
  values.flatMap((rank, j) =>
    ['x', 'é', '😀'].map((tail) => thing(`${(i * 7 + j * 5) % 12}-${i}-${j}-${tail}`, { lane, rank })),
  ),
);

const directions = ['ascending', 'descending'] as const;

export function specifyQuerying(harness: ReadModelsHarness): void {
  it.each(directions)(
    'sorts nulls, numbers and texts of several fields and pages through them, %s',
    async (direction) => {
      const { model, putAll } = await openThings(await harness.make());
      await putAll(1, mixedThings);
      await harness.settle();
      const parts = ['lane', 'rank', 'id'] as const;
      const expected = inIndexOrder(mixedThings, parts, direction);
      const query = { index: 'byLane', equals: { group: 'g' }, direction };
      expect(await model.query({ ...query, limit: 1000 })).toEqual(expected);

      const paged: Thing[] = [];
      for (;;) {
        const last = paged.at(-1);
        const after = last && parts.map((part) => last[part]);
        const page = await model.query({ ...query, ...(after && { after }), limit: 37 });
        paged.push(...page);
        if (page.length < 37) break;
      }
      expect(paged).toEqual(expected);
    },
  );

  it.each(directions)('keeps within bounds, which are inclusive, %s', async (direction) => {
    const { model, putAll } = await openThings(await harness.make());
    const things = values.map((rank, i) => thing(`t${i}`, { rank }));
    await putAll(1, things);
    await harness.settle();
    for (const [low, from] of values.entries()) {
      for (const [high, to] of values.entries()) {
        const within = inIndexOrder(things.slice(low, high + 1), ['rank', 'id'], direction);
        const query = { index: 'byGroup', equals: { group: 'g' }, direction, from, to };
        expect(await model.query({ ...query, limit: 99 })).toEqual(within);
        const [first] = within;
        if (first)
          expect(await model.query({ ...query, after: [first.rank, first.id], limit: 99 })).toEqual(within.slice(1));
      }
    }
    expect(await model.query({ index: 'byRank', equals: {}, from: 'B', limit: 99 })).toHaveLength(5);
    expect(await model.query({ index: 'byRank', equals: {}, to: -1.5, limit: 99 })).toHaveLength(2);
  });

  it('fixes any leading part of an index, the whole of it too', async () => {
    const { model, putAll } = await openThings(await harness.make());
    await putAll(1, [...mixedThings, thing('other', { group: 'other' })]);
    await harness.settle();
    const whole = { index: 'byLane', equals: { rank: '10', lane: null, group: 'g' } };
    const expected = inIndexOrder(
      mixedThings.filter(({ lane, rank }) => lane === null && rank === '10'),
      ['id'],
      'ascending',
    );
    expect(await model.query({ ...whole, limit: 9 })).toEqual(expected);
    const after = [expected[0]?.id ?? ''];
    expect(await model.query({ ...whole, after, limit: 9 })).toEqual(expected.slice(1));
    expect(await countIn(model, { index: 'byLane', equals: { group: 'g', lane: 10 } })).toBe(36);
    expect(await countIn(model, { index: 'byLane', equals: {} })).toBe(mixedThings.length + 1);
    expect(await model.query({ ...whole, limit: 0 })).toEqual([]);
  });

  it.each(directions)(
    'pages neither repeat nor lose nor shift rows while others come and go, %s',
    async (direction) => {
      const { model, write, putAll } = await openThings(await harness.make());
      const old = Array.from({ length: 60 }, (_, i) => thing(`old-${i}`, { rank: (i % 20) * 10 }));
      await putAll(1, old);
      const seen: Thing[] = [];
      for (let page = 0; ; page += 1) {
        await harness.settle();
        const last = seen.at(-1);
        const query: IndexQuery = { index: 'byGroup', equals: { group: 'g' }, direction, limit: 7 };
        const rows = await model.query(last ? { ...query, after: [last.rank, last.id] } : query);
        seen.push(...rows);
        if (rows.length < 7) break;
        // Before, at and behind the place of the reader; and the row it stands on goes.
        const ranks = [-1, 5, rows[6]?.rank ?? null, 95, 195, 500];
        const fresh = ranks.map((rank, i) => thing(`new-${page}-${i}`, { rank }));
        if (page < 5) await putAll(2 + page, fresh);
        else await write(2 + page, { kind: 'delete', id: rows[6]?.id ?? '' });
      }
      expect(new Set(seen.map(({ id }) => id)).size).toBe(seen.length);
      expect(seen.filter(({ id }) => id.startsWith('old-'))).toEqual(inIndexOrder(old, ['rank', 'id'], direction));
    },
  );

  it('refuses what is not declared', async () => {
    const { model, putAll } = await openThings(await harness.make());
    await putAll(1, [thing('a')]);
    const wrong: [string, IndexQuery][] = [
      ['no such index', { index: 'byNote', equals: {}, limit: 1 }],
      ['a name that every object has', { index: 'constructor', equals: {}, limit: 1 }],
      ['a field that is not in the index', { index: 'byGroup', equals: { note: 'x' }, limit: 1 }],
      ['not a leading part', { index: 'byLane', equals: { group: 'g', rank: 1 }, limit: 1 }],
      ['too many fields', { index: 'byRank', equals: { rank: 1, group: 'g' }, limit: 1 }],
      ['a short keyset', { index: 'byLane', equals: { group: 'g' }, after: ['l', 'a'], limit: 1 }],
      ['a long keyset', { index: 'byLane', equals: { group: 'g' }, after: ['l', 1, 'a', 'b'], limit: 1 }],
      ['a value that no index holds', { index: 'byRank', equals: { rank: true as unknown as string }, limit: 1 }],
      ['no value', { index: 'byRank', equals: { rank: undefined as unknown as string }, limit: 1 }],
      ['a limit below zero', { index: 'byRank', equals: {}, limit: -1 }],
    ];
    for (const [what, query] of wrong) await expect(model.query(query), what).rejects.toThrow();
  });

  it('scans every document in the order of ids, in steps', async () => {
    const { model, putAll } = await openThings(await harness.make());
    await putAll(1, mixedThings);
    await harness.settle();
    const ids: string[] = [];
    for (;;) {
      const rows = await model.scan(ids.at(-1) ?? '', 50);
      if (rows.length === 0) break;
      ids.push(...rows.map(({ doc }) => doc.id));
    }
    expect(ids).toEqual(inIndexOrder(mixedThings, ['id'], 'ascending').map(({ id }) => id));
  });

  it('scans the texts that JSON makes of the same documents, after they were changed, too', async () => {
    const { model, write, putAll } = await openThings(await harness.make());
    await putAll(1, mixedThings);
    const [first, second] = mixedThings;
    const patched = patchWhere<Thing>('byGroup', { group: 'g' }, { note: 'ä\u0001 '.repeat(50) });
    const longer = put(thing(first!.id, { note: 'longer  '.repeat(100) }));
    const shorter = put(thing(second!.id, { note: ' ' }));
    await write(2, patched, longer, shorter);
    await harness.settle();
    const documents = new Map((await model.scan('', 1_000)).map(({ doc }) => [doc.id, JSON.stringify(doc)]));
    const texts = await model.scanTexts(null, 1_000);
    expect(new Map(texts.map(({ id, text }) => [id, text]))).toEqual(documents);
    expect(texts).toHaveLength(documents.size);
    expect(await model.scanTexts(texts[3]!.place, 5)).toEqual(texts.slice(4, 9));
    expect(await model.scanTexts(texts.at(-1)!.place, 5)).toEqual([]);
    expect(await model.scanTexts(null, 0)).toEqual([]);
  });

  it('reads every document once, some at a time, and loses none that is written meanwhile', async () => {
    const { model, write, putAll } = await openThings(await harness.make());
    const many = Array.from({ length: 1_203 }, (_, number) =>
      thing(`t-${(number * 7_919) % 10_007}`, { rank: number }),
    );
    await putAll(1, many);
    await write(2, remove(many[5]!.id), put(thing(many[7]!.id, { rank: -1, note: 'longer'.repeat(100) })));
    await harness.settle();
    const expected = new Map(many.map((each) => [each.id, each]));
    expected.delete(many[5]!.id);
    expected.set(many[7]!.id, thing(many[7]!.id, { rank: -1, note: 'longer'.repeat(100) }));
    const read = async (onFirstPage: () => Promise<unknown>) => {
      const pages: Thing[][] = [];
      let writing: Promise<unknown> | undefined;
      const position = await model.checkpoint();
      await model.readAll((docs) => {
        writing ??= onFirstPage();
        pages.push([...docs]);
      });
      await writing;
      return { pages, position };
    };
    const quiet = await read(() => Promise.resolve());
    expect(quiet.pages.length).toBeGreaterThan(1);
    expect(quiet.pages.flat()).toHaveLength(expected.size);
    expect(new Map(quiet.pages.flat().map((each) => [each.id, each]))).toEqual(expected);

    // What is written and removed meanwhile is told by the changes since the checkpoint.
    const removed = many.slice(100, 130).map(({ id }) => id);
    const added = Array.from({ length: 30 }, (_, number) => thing(`n-${number}`));
    const changes: Change<Thing>[] = [...removed.map((id) => remove(id)), ...added.map((each) => put(each))];
    const busy = await read(async () => write(3, ...changes));
    await harness.settle();
    const known = new Map(busy.pages.flat().map((each) => [each.id, each]));
    for (const { id, doc } of await model.changedAfter({ position: busy.position, id: '' }, 1_000)) {
      if (doc === null) known.delete(id);
      else known.set(id, doc);
    }
    for (const id of removed) expected.delete(id);
    for (const each of added) expected.set(each.id, each);
    expect(known).toEqual(expected);
  });

  it('follows changes in the order of position and id, in steps', async () => {
    const { model, putAll } = await openThings(await harness.make());
    await putAll(1, [thing('c'), thing('a'), thing('b')]);
    await putAll(2, [thing('a', { rank: 1 }), thing('d')]);
    await harness.settle();
    const seen: string[] = [];
    let after = { position: 0, id: '' };
    for (;;) {
      const rows = await model.changedAfter(after, 2);
      for (const { id, position } of rows) seen.push(`${position} ${id}`);
      const last = rows.at(-1);
      if (!last) break;
      after = { position: last.position, id: last.id };
    }
    expect(seen).toEqual(['1 b', '1 c', '2 a', '2 d']);
  });

  it('tells followers of deletions, until the document comes back', async () => {
    const { model, write, putAll } = await openThings(await harness.make());
    await putAll(1, [thing('a'), thing('b', { group: 'h' }), thing('c')]);
    await write(2, remove('a'), deleteWhere('byGroup', { group: 'h' }));
    await harness.settle();
    const changes = await model.changedAfter({ position: 1, id: 'c' }, 9);
    expect(changes).toEqual([
      { id: 'a', doc: null, position: 2 },
      { id: 'b', doc: null, position: 2 },
    ]);
    expect(await model.changedAfter({ position: 2, id: 'a' }, 1)).toEqual([{ id: 'b', doc: null, position: 2 }]);
    await putAll(3, [thing('a')]);
    await harness.settle();
    expect(await model.changedAfter({ position: 1, id: 'c' }, 9)).toEqual([
      { id: 'b', doc: null, position: 2 },
      { id: 'a', doc: thing('a'), position: 3 },
    ]);
  });
}
