import { expect, it } from 'vitest';
import { foldChanges } from '../../../src/adapters/opensearch/folded-changes.ts';
import type { SearchChange } from '../../../src/ports/search-index.ts';
import { documentOf, putOf, towards, vectorsOf } from '../../spec/search-index/harness.ts';

const put = (position: number, id = 'one') => putOf('release', position, documentOf(id, { title: `at ${position}` }));
const vectors = (position: number, id = 'one') => vectorsOf('release', position, id, towards(0));
const remove = (position: number, id = 'one'): SearchChange => ({ kind: 'delete', index: 'release', position, id });

const endOf = (...changes: readonly SearchChange[]) =>
  foldChanges(changes).map((change) => {
    if (change.kind === 'vectors') return `${change.id} vectors ${[...change.byPosition.keys()].join()}`;
    const withVectors = change.kind === 'put' && change.vectors !== undefined ? ' with vectors' : '';
    return `${change.id} ${change.kind} ${change.position}${withVectors}`;
  });

it('leaves one change for each document: the last one that an older position does not lose to', () => {
  expect(endOf(put(1), put(2), put(1, 'two'))).toEqual(['one put 2', 'two put 1']);
  expect(endOf(put(2), put(1))).toEqual(['one put 2']);
  expect(endOf(put(1), remove(2))).toEqual(['one delete 2']);
  expect(endOf(remove(2), put(1))).toEqual(['one delete 2']);
  expect(endOf(remove(2), put(2))).toEqual(['one put 2']);
});

it('puts vectors to the document of their position only', () => {
  expect(endOf(put(1), vectors(1))).toEqual(['one put 1 with vectors']);
  expect(endOf(put(2), vectors(1))).toEqual(['one put 2']);
  expect(endOf(put(1), vectors(1), put(2))).toEqual(['one put 2']);
  expect(endOf(put(1), vectors(1), put(1))).toEqual(['one put 1']);
  expect(endOf(remove(1), vectors(1))).toEqual(['one delete 1']);
  expect(endOf(vectors(1), vectors(2))).toEqual(['one vectors 1,2']);
  expect(endOf(vectors(1), put(1))).toEqual(['one put 1']);
});

it('keeps documents of different kinds apart', () => {
  expect(foldChanges([put(1), { ...put(2), index: 'chunk' }])).toHaveLength(2);
});
