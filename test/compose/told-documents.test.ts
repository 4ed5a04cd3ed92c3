import { beforeEach, expect, it } from 'vitest';
import {
  createTellDocuments,
  createToldDocuments,
  type TellDocuments,
  type ToldDocuments,
} from '../../src/compose/threads/told-documents.ts';
import { type Change, deleteWhere, type Document, patchWhere, put, remove } from '../../src/kernel/projection.ts';

const name = 'names';
let told: ToldDocuments;
let tell: TellDocuments;
let last: number;
beforeEach(() => {
  told = createToldDocuments([name]);
  tell = createTellDocuments(told.handOver().data);
  last = 0;
});

const doc = (id: string, text = ''): Document & { readonly text: string } => ({ id, text });

/** Answers its position. */
const write = (changes: readonly Change<Document>[], generation = 1): number => {
  tell({ name, generation, position: last + 1, changes }, last);
  last += 1;
  return last;
};

const changedAfter = (position: number | null) => told.changedAfter({ name, generation: 1, written: last }, position);

it('tells what was put and removed, in the order of the writes, once', () => {
  write([put(doc('a', 'first')), put(doc('b'))]);
  write([put(doc('a', 'second')), remove('b')]);
  expect(changedAfter(0)).toEqual({
    documents: [
      { id: 'a', doc: doc('a', 'first') },
      { id: 'b', doc: doc('b') },
      { id: 'a', doc: doc('a', 'second') },
      { id: 'b', doc: null },
    ],
    position: 2,
  });
  expect(changedAfter(2)).toEqual({ documents: [], position: 2 });
});

it('does not tell what is changed by an index, nor what is long', () => {
  const untold: (readonly Change<Document>[])[] = [
    [put(doc('a')), patchWhere('byOrg', { orgId: 'org_a' }, {})],
    [put(doc('a')), deleteWhere('byOrg', { orgId: 'org_a' })],
    [put(doc('a', 'x'.repeat(100_000)))],
  ];
  for (const changes of untold) {
    const before = last;
    write(changes);
    expect(changedAfter(before)).toBeNull();
    write([put(doc('b'))]); // names the one before it
    expect(changedAfter(before)).toBeNull();
    expect(changedAfter(last)).toEqual({ documents: [], position: last });
  }
});

it('leaves to the store what would take long to bring in', () => {
  for (let number = 0; number < 11; number += 1) write(Array.from({ length: 10 }, (_, each) => put(doc(`${each}`))));
  expect(changedAfter(0)).toBeNull();
  for (let number = 0; number < 6; number += 1) write([put(doc('a', 'x'.repeat(50_000)))]);
  expect(changedAfter(11)).toBeNull();
});

it('tells nothing of another generation', () => {
  write([put(doc('a'))], 2);
  expect(told.changedAfter({ name, generation: 1, written: 0 }, 0)).toEqual({ documents: [], position: 0 });
});

it('keeps nothing that the store was asked for', () => {
  write([put(doc('a'))]);
  expect(changedAfter(null)).toBeNull();
  expect(changedAfter(0)).toBeNull();
  write([put(doc('b'))]);
  expect(changedAfter(1)).toEqual({ documents: [{ id: 'b', doc: doc('b') }], position: 2 });
});
