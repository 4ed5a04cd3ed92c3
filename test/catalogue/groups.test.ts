import { expect, it } from 'vitest';
import { createGroups } from '../../src/catalogue/groups.ts';

interface Doc {
  readonly id: string;
  readonly key: string | null;
  readonly state: number;
}

it.each([2, 200])('a group of %i holds the newest state of each document, and none that has left', (count) => {
  const groups = createGroups<Doc>(({ key }) => key);
  const docs = new Map<string, Doc>();
  const place = (id: string, key: string | null, state: number) => {
    const doc = { id, key, state };
    groups.replace(docs.get(id), doc);
    docs.set(id, doc);
  };
  const expectGroups = () => {
    for (const key of ['a', 'b']) expect(groups.of(key)).toEqual([...docs.values()].filter((doc) => doc.key === key));
  };
  for (let number = 0; number < count; number += 1) place(`first ${number}`, 'a', 1);
  for (let number = 0; number < count; number += 1) place(`other ${number}`, 'b', 1);
  expectGroups();
  for (const id of [...docs.keys()]) place(id, docs.get(id)!.key, 2);
  expectGroups();
  const handedOut = groups.of('a');
  place('first 0', null, 3);
  groups.remove(docs.get('other 1')!);
  docs.delete('other 1');
  expectGroups();
  expect(handedOut).toHaveLength(count);
  for (const id of [...docs.keys()].filter((key) => key.startsWith('first'))) {
    const before = docs.get(id);
    docs.delete(id);
    groups.replace(before, { id, key: 'b', state: 3 });
    docs.set(id, { id, key: 'b', state: 3 });
  }
  expectGroups();
});
