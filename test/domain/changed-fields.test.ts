import { expect, test } from 'vitest';
import { changedFields } from '../../src/domain/changed-fields.ts';

const stored = { name: 'a', note: null as string | null, list: [{ x: 1 }] };

test.each([
  [{}, null],
  [{ name: 'a', note: null, list: [{ x: 1 }] }, null],
  [{ name: 'b', list: [{ x: 1 }] }, { name: 'b' }],
  [{ note: '' }, { note: '' }],
  [{ list: [] }, { list: [] }],
  [{ list: [{ x: 2 }] }, { list: [{ x: 2 }] }],
])('%o changes %o', (wanted, changed) => {
  expect(changedFields(stored, wanted)).toEqual(changed);
});
