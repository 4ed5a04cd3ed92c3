import { describe, expect, it } from 'vitest';
import { createOrgInstants } from '../../../src/catalogue/lists/org-instants.ts';
import { newestPublishedMs, releaseCount } from '../../../src/catalogue/numbers.ts';
import { noInstants, type SourceInstants } from '../../../src/catalogue/instants/source-instants.ts';

const nowMs = Date.UTC(2026, 0, 1);
const sourceOf = (id: string) => ({ id, hidden: false, deletedAt: null });

/** One a minute, the last of them a moment ago. */
const instantsOf = (count: number): SourceInstants => ({
  ...noInstants,
  published: Array.from({ length: count }, (_, at) => nowMs - (count - at) * 60_000),
  undatedCount: 1,
});

const orgOf = (...counts: readonly number[]) => {
  const sources = counts.map((_, at) => sourceOf(String(at)));
  return createOrgInstants({ sourcesOfOrg: () => sources }, (id) => instantsOf(counts[Number(id)]!));
};

describe('the releases of an org', () => {
  it('are joined while they are few, and looked at by source when they are many', () => {
    expect(orgOf(500, 12).of('org').instants).toHaveLength(1);
    expect(orgOf(500, 13).of('org').instants).toHaveLength(2);
  });

  it('give the same numbers both ways', () => {
    for (const counts of [[], [0], [3, 0, 7], [500, 12], [500, 13], [2_000, 1]]) {
      const { sourceCount, instants } = orgOf(...counts).of('org');
      expect(sourceCount).toBe(counts.length);
      expect(releaseCount(instants, nowMs)).toBe(counts.reduce((sum, count) => sum + count + 1, 0));
      expect(newestPublishedMs(instants, nowMs)).toBe(Math.max(0, ...counts) > 0 ? nowMs - 60_000 : null);
    }
  });
});
