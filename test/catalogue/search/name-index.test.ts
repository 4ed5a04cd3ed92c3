import { describe, expect, it } from 'vitest';
import { createNameIndex } from '../../../src/catalogue/search/name-index.ts';
import { type Category, categories } from '../../../src/domain/enumerations.ts';
import { byName, nameKeyOf } from '../../../src/domain/name-key.ts';
import { type NamedEntity, wantedWord } from '../../../src/search/entities/entity-keys.ts';
import { naiveEntityTier } from '../../spec/naive/naive-entity-tier.ts';
import { createSeeded, type Seeded } from '../../spec/seeded.ts';
import { seedsToRun } from '../../spec/seeds.ts';

interface Doc extends Omit<NamedEntity, 'category'> {
  readonly id: string;
  readonly nameKey: string;
}

const openIndex = () => createNameIndex<Doc>((doc, category) => ({ ...doc, category }));

const acme: Doc & { readonly category: Category } = {
  id: 'acme',
  nameKey: 'acme door works',
  name: 'Acme Door Works',
  slug: 'acme-doors',
  domains: ['doors.acme.example', 'hinge.example'],
  url: 'https://github.com/acmeInc/sliding_door',
  category: 'developer-tools',
};

describe('the tier in which an entity is found', () => {
  const index = openIndex();
  index.place(acme, acme.category);

  it.each([
    ['Acme Door Works', 0],
    ['acme-doors', 0],
    ['ACME DOORS', 0],
    ['acme d', 1],
    ['Acme', 1],
    ['a', 1],
    ['door', 2],
    ['door works', 2],
    ['wor', 3],
    ['doors', 3],
    ['hinge', 3],
    ['hinge.example', 3],
    ['github', 3],
    ['sliding', 3],
    ['slidingdoor', 3],
    ['acmeInc/sliding_door', 3],
    ['https://github.com/acmeinc/sliding_door', 3],
    ['inc', 3],
    ['developer tools', 4],
    ['developer-tools', 4],
    ['developer', null],
    ['oor', null],
    ['cme', null],
    ['https', null],
    ['acme door works and more', null],
    ['nothing', null],
  ])('%s: %s', (q, tier) => {
    const wanted = wantedWord(q)!;
    expect(naiveEntityTier(acme, wanted)).toBe(tier);
    expect(index.find(wanted, 10)).toEqual(tier === null ? [] : [{ doc: acme, tier }]);
  });
});

const syllables = ['a', 'b', 'ab', 'ba', 'Aab', 'É', 'ß', 'İ', 'ﬁ', '日', '1', 'v2'];
const gaps = ['', ' ', '-', '.', '/', '_', ' !'];

const randomText = ({ int, pick }: Seeded, most: number): string =>
  Array.from({ length: int(1, most) }, () => pick(syllables) + pick(gaps)).join('');

/** So many that the trees of each tier have several floors, while many share a key. */
const docsCount = 400;

describe('an index of names', () => {
  it.each(seedsToRun(2))(
    'finds what looking at each of them finds, while they come, change and go (seed %s)',
    (seed) => {
      const random = createSeeded(seed);
      const { int, pick, chance } = random;
      const index = openIndex();
      const now = new Map<string, { readonly doc: Doc; readonly category: Category | null }>();

      const put = (id: string) => {
        const before = now.get(id);
        const name = before !== undefined && chance(30) ? before.doc.name : randomText(random, 4);
        const doc = {
          id,
          nameKey: nameKeyOf(name),
          name,
          slug: before !== undefined && chance(50) ? before.doc.slug : randomText(random, 3),
          domains: chance(30) ? [randomText(random, 2), randomText(random, 2)] : [],
          url: chance(50) ? `https://${randomText(random, 4)}` : null,
        };
        const category = chance(20) ? pick(categories.slice(0, 3)) : null;
        now.set(id, { doc, category });
        index.place(doc, category);
      };
      const takeOut = (id: string) => {
        now.delete(id);
        index.remove(id);
      };
      const expected = (wanted: string, limit: number) =>
        [...now.values()]
          .flatMap(({ doc, category }) => {
            const tier = naiveEntityTier({ ...doc, category }, wanted);
            return tier === null ? [] : [{ doc, tier }];
          })
          .sort((a, b) => a.tier - b.tier || byName(a.doc, b.doc))
          .slice(0, limit);
      const sameFound = () => {
        const queries = ['a', 'b', 'v', 'ai', 'cloud', ...Array.from({ length: 12 }, () => randomText(random, 4))];
        for (const q of queries) {
          const wanted = wantedWord(q);
          if (wanted === null) continue;
          const limit = pick([1, 20, 100, docsCount]);
          expect(index.find(wanted, limit), `${q} of ${now.size}`).toEqual(expected(wanted, limit));
        }
      };

      sameFound();
      for (let number = 0; number < docsCount; number += 1) put(`d${number}`);
      sameFound();
      for (let round = 0; round < 4; round += 1) {
        for (let change = 0; change < 100; change += 1) {
          const id = `d${int(0, docsCount)}`;
          if (chance(40)) takeOut(id);
          else put(id);
        }
        sameFound();
      }
      for (const id of [...now.keys()].slice(5)) takeOut(id);
      sameFound();
      for (const id of [...now.keys()]) takeOut(id);
      sameFound();
      put('again');
      sameFound();
    },
  );
});
