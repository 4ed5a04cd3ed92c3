import { describe, expect, it } from 'vitest';
import { priorityByGap } from '../../../src/runtime/fetching/retier-sources.ts';

describe('priorities by how often something is new', () => {
  it.each([
    ['normal', null, 'normal'],
    ['normal', 14, 'normal'],
    ['normal', 14.1, 'low'],
    ['normal', 90, 'low'],
    ['normal', 90.1, 'normal'],
    ['low', null, 'low'],
    ['low', 14, 'normal'],
    ['low', 14.1, 'low'],
    ['low', 90.1, 'low'],
    ['paused', 1, 'paused'],
  ] as const)('%s with %s days between releases becomes %s', (before, gap, after) => {
    expect(priorityByGap(before, gap)).toBe(after);
  });
});
