import { describe, expect, it } from 'vitest';
import { type Claimant, fairAssignment } from '../../../src/adapters/kafka/fair-assignment.ts';
import { createSeeded } from '../../spec/seeded.ts';

const upTo = (count: number): number[] => Array.from({ length: count }, (_, number) => number);
const sharing =
  (counts: Record<string, number>) =>
  (claimants: readonly Claimant[]): Record<string, Record<string, number[]>> =>
    Object.fromEntries(fairAssignment(claimants, (topic) => upTo(counts[topic] ?? 0)));

describe('sharing the partitions of a group', () => {
  it('leaves each member what it has when another one joins, but for its part', () => {
    const share = sharing({ t: 6 });
    const alone = share([{ member: 'b', topics: ['t'], holds: {} }]);
    expect(alone).toEqual({ b: { t: [0, 1, 2, 3, 4, 5] } });
    const two = share([
      { member: 'a', topics: ['t'], holds: {} },
      { member: 'b', topics: ['t'], holds: alone['b']! },
    ]);
    expect(two).toEqual({ a: { t: [3, 4, 5] }, b: { t: [0, 1, 2] } });
    expect(share([{ member: 'a', topics: ['t'], holds: two['a']! }])).toEqual({ a: { t: [0, 1, 2, 3, 4, 5] } });
  });

  it('spreads topics of one partition over the members', () => {
    const topics = ['r', 's', 't', 'u'];
    const share = sharing({ r: 1, s: 1, t: 1, u: 1 });
    const assignment = share(['a', 'b'].map((member) => ({ member, topics, holds: {} })));
    expect(Object.values(assignment).map((own) => Object.keys(own).length)).toEqual([2, 2]);
  });

  it('gives nobody a topic that he does not consume', () => {
    const assignment = sharing({ t: 2, u: 2 })([
      { member: 'a', topics: ['t'], holds: {} },
      { member: 'b', topics: ['t', 'u'], holds: {} },
    ]);
    expect(assignment).toEqual({ a: { t: [0] }, b: { t: [1], u: [0, 1] } });
  });

  it.each(upTo(200))('gives every partition to one member, evenly, whatever they claim (seed %i)', (seed) => {
    const seeded = createSeeded(seed);
    const counts = { t: seeded.int(1, 9), u: seeded.int(0, 9) };
    const claimants = upTo(seeded.int(1, 5)).map((number) => ({
      member: `m${number}`,
      topics: ['t', ...(seeded.chance(50) ? ['u'] : [])],
      holds: { t: upTo(12).filter(() => seeded.chance(30)), u: upTo(12).filter(() => seeded.chance(30)) },
    }));
    const assignment = sharing(counts)(claimants);
    for (const topic of ['t', 'u'] as const) {
      const rivals = claimants.filter(({ topics }) => topics.includes(topic)).map(({ member }) => member);
      const given = Object.values(assignment).flatMap((own) => own[topic] ?? []);
      expect(given.sort((a, b) => a - b)).toEqual(rivals.length > 0 ? upTo(counts[topic]) : []);
      const sizes = rivals.map((member) => assignment[member]?.[topic]?.length ?? 0);
      if (sizes.length > 0) expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
    }
  });
});
