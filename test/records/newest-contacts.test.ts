import { describe, expect, it } from 'vitest';
import { newestContacts } from '../../src/records/newest-contacts.ts';
import { createSeeded } from '../spec/seeded.ts';
import { seedsToRun } from '../spec/seeds.ts';

describe('the newest contacts', () => {
  it('ask about no source whose contact is older than enough others', () => {
    const contacts = Array.from({ length: 1_000 }, (_, age) => [`src_${age}`, 10_000 - age] as const);
    let asked = 0;
    const isWanted = (sourceId: string) => {
      asked += 1;
      return sourceId !== 'src_0';
    };
    expect(newestContacts(contacts, isWanted, 3).map(([sourceId]) => sourceId)).toEqual(['src_1', 'src_2', 'src_3']);
    expect(asked).toBe(4);
  });

  it.each(seedsToRun(5))('are the first of all of them by time (seed %i)', (seed) => {
    const random = createSeeded(seed);
    const contacts = Array.from({ length: random.int(0, 60) }, (_, n) => [`src_${n}`, random.int(0, 20)] as const);
    const isWanted = (sourceId: string) => Number(sourceId.slice(4)) % 3 !== 0;
    const sorted = contacts.filter(([sourceId]) => isWanted(sourceId)).sort(([, a], [, b]) => b - a);
    expect(newestContacts(contacts, isWanted, 10)).toEqual(sorted.slice(0, 10));
  });
});
