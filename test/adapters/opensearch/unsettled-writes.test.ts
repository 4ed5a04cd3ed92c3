import { describe, expect, it } from 'vitest';
import { createUnsettledWrites } from '../../../src/adapters/opensearch/unsettled-writes.ts';
import { documentOf, putOf, towards, vectorsOf } from '../../spec/search-index/harness.ts';

const start = { position: 0, id: '' };

describe('what was written to OpenSearch and cannot be found yet', () => {
  it('is nothing at first', () => {
    const unsettled = createUnsettledWrites();
    expect([unsettled.changeDocuments(), unsettled.changeBehind('release', start)]).toEqual([false, false]);
  });

  it('changes every list with a document, until it is settled', () => {
    const unsettled = createUnsettledWrites();
    unsettled.note([putOf('release', 1, documentOf('one'))]);
    expect(unsettled.changeDocuments()).toBe(true);
    expect(unsettled.changeBehind('chunk', { position: 9, id: 'nine' })).toBe(true);
    unsettled.clear();
    expect([unsettled.changeDocuments(), unsettled.changeBehind('release', start)]).toEqual([false, false]);
  });

  it('changes with vectors only what lies before the last of them, of their kind', () => {
    const unsettled = createUnsettledWrites();
    unsettled.note([vectorsOf('release', 2, 'b', towards(0)), vectorsOf('release', 1, 'z', towards(0))]);
    expect(unsettled.changeDocuments()).toBe(false);
    const changed = (position: number, id: string) => unsettled.changeBehind('release', { position, id });
    expect([changed(0, ''), changed(1, 'z'), changed(2, 'a'), changed(2, 'b'), changed(3, 'a')]).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
    expect(unsettled.changeBehind('chunk', start)).toBe(false);
  });

  it('is there again when settling failed, with what was written meanwhile', () => {
    const unsettled = createUnsettledWrites();
    unsettled.note([vectorsOf('release', 5, 'five', towards(0))]);
    const takeBack = unsettled.clear();
    unsettled.note([vectorsOf('release', 1, 'one', towards(0))]);
    takeBack();
    expect(unsettled.changeBehind('release', { position: 4, id: 'four' })).toBe(true);
  });
});
