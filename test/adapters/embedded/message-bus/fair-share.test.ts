import { describe, expect, it } from 'vitest';
import { fairShare } from '../../../../src/adapters/embedded/message-bus/fair-share.ts';
import { partitionOfKey } from '../../../../src/adapters/embedded/message-bus/partition-of-key.ts';

const members = ['c', 'a', 'b'];
const sharesOf = (topic: string, partitions: number) =>
  members.map((member) => fairShare(topic, partitions, member, members));

describe('the fair share of partitions', () => {
  it.each([1, 2, 3, 4, 7, 12])('deals out %i partitions, none twice and nobody two more than another', (partitions) => {
    const shares = sharesOf('jobs', partitions);
    expect(shares.reduce((sum, share) => sum + share)).toBe(partitions);
    expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(1);
  });

  it('does not give the single partitions of many topics to one member', () => {
    const topics = Array.from({ length: 12 }, (_, number) => `retry.${number}`);
    const holders = topics.map((topic) => sharesOf(topic, 1).indexOf(1));
    expect(new Set(holders).size).toBe(3);
  });

  it('is nothing for one who is not a member', () => {
    expect(fairShare('jobs', 4, 'stranger', members)).toBe(0);
    expect(fairShare('jobs', 4, 'stranger', [])).toBe(0);
  });
});

describe('the partition of a key', () => {
  it('stays where it is from version to version', () => {
    expect(['', 'a', 'sub_1', 'ключ', '👩‍🚀'].map((key) => partitionOfKey(key, 12))).toMatchInlineSnapshot(`
      [
        8,
        8,
        1,
        0,
        1,
      ]
    `);
  });

  it('spreads keys evenly', () => {
    const counts = new Array<number>(6).fill(0);
    for (let number = 0; number < 6_000; number += 1) counts[partitionOfKey(`sub_${number}`, 6)]! += 1;
    for (const count of counts) expect(count).toBeGreaterThan(800);
  });
});
