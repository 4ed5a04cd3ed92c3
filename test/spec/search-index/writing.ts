import { expect, it } from 'vitest';
import { searchWriteMax } from '../../../src/ports/search-index.ts';
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

export function specifyWriting(harness: SearchIndexesHarness): void {
  it('finds what was written, with the checkpoint, and in the index of its kind only', async () => {
    const { write, find, index } = await openIndex(await harness.make());
    expect(await index.checkpoint()).toBe(0);
    const outcome = await write(
      5,
      putOf('release', 4, documentOf('rel', { title: 'quokka' })),
      putOf('chunk', 5, documentOf('chunk', { title: 'wombat' })),
    );
    expect(outcome).toBe('written');
    expect(await find('quokka')).toEqual(['rel']);
    expect(await find('quokka', { kind: 'chunk' })).toEqual([]);
    expect(await find('wombat', { kind: 'chunk' })).toEqual(['chunk']);
    expect([await index.count('release'), await index.count('chunk')]).toEqual([1, 1]);
    expect(await index.checkpoint()).toBe(5);
  });

  it('forgets what a text said before', async () => {
    const { putAll, find, index } = await openIndex(await harness.make());
    await putAll(1, [documentOf('one', { title: 'quokka', names: 'island', body: 'leaps' })]);
    await putAll(2, [documentOf('one', { title: 'wombat', publishedMs: 86_400_000 * 20_000 })]);
    for (const word of ['quokka', 'island', 'leaps']) expect(await find(word)).toEqual([]);
    expect(await find('wombat')).toEqual(['one']);
    expect(await index.count('release')).toBe(1);
  });

  it('lets an older position lose against what is there, for puts, deletes and vectors', async () => {
    const { write, find, findNear } = await openIndex(await harness.make());
    await write(
      9,
      putOf('release', 7, documentOf('one', { title: 'newer' })),
      vectorsOf('release', 7, 'one', towards(0)),
    );
    await write(
      10,
      putOf('release', 6, documentOf('one', { title: 'older' })),
      { kind: 'delete', index: 'release', position: 6, id: 'one' },
      vectorsOf('release', 6, 'one', towards(8)),
    );
    expect(await find('newer')).toEqual(['one']);
    expect(await find('older')).toEqual([]);
    expect(await findNear(towards(0))).toEqual(['one']);
  });

  it('takes the same write twice for once', async () => {
    const { write, find, index } = await openIndex(await harness.make());
    const change = putOf('release', 3, documentOf('one', { title: 'quokka' }));
    expect(await write(3, change)).toBe('written');
    expect(await write(3, change)).toBe('behind');
    expect(await write(4, change)).toBe('written');
    expect(await find('quokka')).toEqual(['one']);
    expect(await index.count('release')).toBe(1);
  });

  it('writes nothing behind its checkpoint, but vectors whenever they come', async () => {
    const { write, find, findNear, index } = await openIndex(await harness.make());
    await write(5, putOf('release', 5, documentOf('one', { title: 'quokka' })));
    expect(await write(4, putOf('release', 9, documentOf('two', { title: 'quokka' })))).toBe('behind');
    expect(await write(null, vectorsOf('release', 5, 'one', towards(0)))).toBe('written');
    expect(await find('quokka')).toEqual(['one']);
    expect(await findNear(towards(0))).toEqual(['one']);
    expect(await index.checkpoint()).toBe(5);
  });

  it('deletes a document with its words and vectors, which may come back as another', async () => {
    const { write, find, findNear, index } = await openIndex(await harness.make());
    await write(
      1,
      putOf('release', 1, documentOf('one', { title: 'quokka' })),
      vectorsOf('release', 1, 'one', towards(0)),
    );
    await write(2, { kind: 'delete', index: 'release', position: 2, id: 'one' });
    await write(3, { kind: 'delete', index: 'release', position: 3, id: 'never there' });
    expect(await find('quokka')).toEqual([]);
    expect(await findNear(towards(0))).toEqual([]);
    expect(await index.vectorsOf('release', 'one', vectorSpace)).toEqual([]);
    expect(await index.count('release')).toBe(0);
    await write(4, putOf('release', 4, documentOf('other', { title: 'wombat' })));
    expect(await find('quokka')).toEqual([]);
    expect(await findNear(towards(0))).toEqual([]);
    expect(await find('wombat')).toEqual(['other']);
    await write(null, vectorsOf('release', 4, 'other', towards(4)));
    expect(await findNear(towards(4))).toEqual(['other']);
  });

  it('applies the changes of one write in order', async () => {
    const { write, find, findNear, index } = await openIndex(await harness.make());
    await write(1, putOf('release', 1, documentOf('kept', { title: 'before' })));
    await write(
      9,
      putOf('release', 2, documentOf('kept', { title: 'between' })),
      { kind: 'delete', index: 'release', position: 3, id: 'kept' },
      putOf('release', 4, documentOf('new', { title: 'quokka' })),
      vectorsOf('release', 4, 'new', towards(0)),
      putOf('release', 5, documentOf('kept', { title: 'after' })),
      putOf('release', 6, documentOf('gone', { title: 'quokka' })),
      { kind: 'delete', index: 'release', position: 7, id: 'gone' },
      putOf('release', 8, documentOf('new', { title: 'wombat' })),
    );
    const found = await Promise.all(['before', 'between', 'after', 'quokka', 'wombat'].map((word) => find(word)));
    expect(found).toEqual([[], [], ['kept'], [], ['new']]);
    expect(await findNear(towards(0))).toEqual([]);
    expect(await index.count('release')).toBe(2);
  });

  it('refuses more than it takes at once, but takes any single text', async () => {
    const { write, find } = await openIndex(await harness.make());
    const many = Array.from({ length: searchWriteMax.changes + 1 }, (_, number) =>
      putOf('release', 1, documentOf(`doc ${number}`, { title: 'quokka' })),
    );
    const long = documentOf('long', { title: 'wombat', body: 'a long text '.repeat(searchWriteMax.bytes / 12 + 1) });
    expect(await write(1, ...many)).toBe('too_large');
    expect(await write(1, putOf('release', 1, long), putOf('release', 1, documentOf('short')))).toBe('too_large');
    expect(await find('quokka')).toEqual([]);
    expect(await write(1, ...many.slice(1))).toBe('written');
    expect(await write(2, putOf('release', 2, long))).toBe('written');
    expect(await find('wombat text')).toEqual(['long']);
  });

  it('shows what another one has written, words and vectors', async () => {
    const [first, second] = await harness.makeTwoOnOneBackend();
    const writer = await openIndex(first);
    const index = await second.open(1);
    const reader = async (list: Parameters<typeof index.search>[0][number]) => {
      await index.settle();
      return (await index.search([list]))[0]!.hits.map(({ id }) => id);
    };
    expect(await reader(nearList(towards(0)))).toEqual([]);
    for (let position = 1; position <= 5; position += 1) {
      const id = `doc ${position}`;
      await writer.write(
        position,
        { kind: 'delete', index: 'release', position, id: `doc ${position - 1}` },
        putOf('release', position, documentOf(id, { title: 'quokka' })),
        vectorsOf('release', position, id, towards(0)),
      );
      expect(await reader(wordsList('quokka'))).toEqual([id]);
      expect(await reader(nearList(towards(0)))).toEqual([id]);
    }
  });

  it('knows what vectors were made of, and what a put says of that', async () => {
    const { write, index } = await openIndex(await harness.make());
    const hashes = async () => Object.fromEntries(await index.textHashesOf('release', ['one', 'two', 'none']));
    await write(1, putOf('release', 1, documentOf('one')), putOf('release', 1, documentOf('two')));
    expect(await hashes()).toEqual({});
    await write(
      null,
      vectorsOf('release', 1, 'one', towards(0), towards(4)),
      vectorsOf('release', 9, 'two', towards(0)),
    );
    expect(await hashes()).toEqual({ one: ['one 0', 'one 1'] });
    await write(2, putOf('release', 2, documentOf('one', { textHashes: ['one 0', 'one 1'] })));
    expect(await hashes()).toEqual({ one: ['one 0', 'one 1'] });
    await write(null, vectorsOf('release', 2, 'one', towards(0)));
    expect(await hashes()).toEqual({ one: ['one 0'] });
    await write(3, { kind: 'delete', index: 'release', position: 3, id: 'one' });
    expect(await hashes()).toEqual({});
    await write(4, putOf('release', 4, documentOf('one')));
    expect(await hashes()).toEqual({});
  });

  it('lists the documents of a source, page by page', async () => {
    const { write, index } = await openIndex(await harness.make());
    const ids = ['b', 'a', 'd', 'c'];
    await write(1, ...ids.map((id) => putOf('chunk', 1, documentOf(id))));
    await write(2, putOf('chunk', 2, documentOf('other', { sourceId: 'src_b' })));
    expect(await index.idsOfSource('chunk', 'src_a', '', 3)).toEqual(['a', 'b', 'c']);
    expect(await index.idsOfSource('chunk', 'src_a', 'c', 3)).toEqual(['d']);
    expect(await index.idsOfSource('release', 'src_a', '', 3)).toEqual([]);
    expect(await index.idsOfSource('chunk', 'src_none', '', 3)).toEqual([]);
    await write(3, putOf('chunk', 3, documentOf('a', { sourceId: 'src_b' })));
    expect(await index.idsOfSource('chunk', 'src_b', '', 3)).toEqual(['a', 'other']);
  });

  it('tells who feeds it what he has written, before it is settled', async () => {
    const { index, lease } = await openIndex(await harness.make());
    const waiting = async () =>
      (await index.withoutVectors('release', { space: vectorSpace }, { position: 0, id: '' }, 9)).map(({ id }) => id);
    for (const position of [1, 2]) {
      const id = `doc ${position}`;
      const put = putOf('release', position, documentOf(id));
      expect(await index.write({ changes: [put], position, lease })).toBe('written');
      expect(await index.idsOfSource('release', 'src_a', '', 9)).toHaveLength(position);
      expect(await waiting()).toEqual([id]);
      const changes = [vectorsOf('release', position, id, towards(0))];
      expect(await index.write({ changes, position: null, lease })).toBe('written');
      expect(await index.textHashesOf('release', [id])).toEqual(new Map([[id, [`${id} 0`]]]));
      expect(await waiting()).toEqual([]);
    }
  });

  it('keeps of a text that means nothing only what it was', async () => {
    const { write, index } = await openIndex(await harness.make());
    const nothing = new Float32Array(0);
    await write(1, putOf('release', 1, documentOf('some')), putOf('release', 1, documentOf('none')));
    await write(
      null,
      vectorsOf('release', 1, 'some', nothing, towards(0)),
      vectorsOf('release', 1, 'none', nothing, nothing),
    );
    expect(Object.fromEntries(await index.textHashesOf('release', ['some', 'none']))).toEqual({
      some: ['some 0', 'some 1'],
      none: ['none 0', 'none 1'],
    });
    expect(await index.vectorsOf('release', 'some', vectorSpace)).toHaveLength(1);
    expect(await index.vectorsOf('release', 'none', vectorSpace)).toEqual([]);
    expect(await index.withoutVectors('release', { space: vectorSpace }, { position: 0, id: '' }, 9)).toEqual([]);
  });

  it('has everything still after the way to the store was cut', async () => {
    const indexes = await harness.make();
    const { write } = await openIndex(indexes);
    await write(
      1,
      putOf('release', 1, documentOf('one', { title: 'quokka' })),
      vectorsOf('release', 1, 'one', towards(0)),
    );
    const { find, findNear, index } = await openIndex(await harness.interrupt(indexes));
    expect(await find('quokka')).toEqual(['one']);
    expect(await findNear(towards(0))).toEqual(['one']);
    expect(await index.checkpoint()).toBe(1);
  });

  it('finds the rest as before when what was deleted was scrubbed', async () => {
    const { write, find, findNear, index } = await openIndex(await harness.make());
    await write(
      1,
      putOf('release', 1, documentOf('one', { title: 'quokka leaps' })),
      putOf('release', 1, documentOf('two', { title: 'quokka rests' })),
      vectorsOf('release', 1, 'two', towards(0)),
    );
    await write(2, { kind: 'delete', index: 'release', position: 2, id: 'one' });
    await index.scrub();
    expect(await find('quokka')).toEqual(['two']);
    expect(await find('leaps')).toEqual([]);
    expect(await findNear(towards(0))).toEqual(['two']);
    await index.scrub();
    expect(await write(3, putOf('release', 3, documentOf('one', { title: 'quokka' })))).toBe('written');
    expect((await find('quokka')).sort()).toEqual(['one', 'two']);
  });
}
