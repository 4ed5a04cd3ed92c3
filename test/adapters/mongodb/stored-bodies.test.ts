import { BSON } from 'mongodb';
import { describe, expect, it, vi } from 'vitest';
import { documentsOf } from '../../../src/adapters/mongodb/read-models/stored-bodies.ts';

const rowOf = (doc: unknown): Uint8Array => BSON.serialize({ body: JSON.stringify(doc) });

/** As the driver hands them over: parts of one answer of the server. */
const rowsOf = (docs: readonly unknown[]): Uint8Array[] => {
  const rows = docs.map(rowOf);
  const answer = Buffer.concat(rows);
  let from = 0;
  return rows.map(({ length }) => answer.subarray(from, (from += length)));
};

describe('documents of stored bodies', () => {
  it.each([
    ['none', []],
    ['one', [{ id: 'a' }]],
    [
      'several',
      [{ id: 'a', text: 'ünïcödé 🦘 "quoted" \u0000 [,]' }, { id: 'b', list: [] }, { id: 'c'.repeat(70_000) }],
    ],
    ['many long ones', Array.from({ length: 20 }, (_, number) => ({ id: `${number}`, text: 'é'.repeat(40_000) }))],
  ])('come as they were put: %s', (_, docs) => {
    expect(documentsOf(rowsOf(docs))).toEqual(docs);
  });

  it('are parsed together where they are small', () => {
    const rows = rowsOf(Array.from({ length: 128 }, (_, number) => ({ id: `${number}` })));
    const parse = vi.spyOn(JSON, 'parse');
    documentsOf(rows);
    const calls = parse.mock.calls.length;
    parse.mockRestore();
    expect(calls).toBe(1);
  });

  it('are refused where a row has no body', () => {
    const other = BSON.serialize({ text: 'a' });
    for (const rows of [[other], [rowOf({ id: 'a' }), other]]) {
      expect(() => documentsOf(rows)).toThrow('a stored document has no body');
    }
  });
});
