import { describe, expect, it } from 'vitest';
import { entitySections, entitySectionsReads } from '../../../queries/search/entity-sections.ts';
import { type Catalogue, createCatalogue } from '../../../src/catalogue/catalogue.ts';
import { publicProductFilter, publicSourceFilter } from '../../../src/catalogue/lists/part-facets.ts';
import { isOrgVisible, resolvedCategory } from '../../../src/catalogue/visibility.ts';
import { categories } from '../../../src/domain/enumerations.ts';
import { byName } from '../../../src/domain/name-key.ts';
import type { DomainEvent } from '../../../src/kernel/event.ts';
import { type NamedEntity, wantedWord } from '../../../src/search/entities/entity-keys.ts';
import { collectionCreated, collectionDeleted, membersReplaced } from '../../spec/events/collection-events.ts';
import { orgCreated, productCreated, sourceCreated } from '../../spec/events/entity-events.ts';
import { naiveEntityTier } from '../../spec/naive/naive-entity-tier.ts';
import { createSeeded, type Seeded } from '../../spec/seeded.ts';
import { seedsToRun } from '../../spec/seeds.ts';
import { openSampleRegistry, orgIdOf, productIdOf, sourceIdOf } from '../../spec/worlds/sample-registry.ts';

const syllables = ['ka', 'lo', 'Mi', 'ne', 'k', 'l', 'É', '日本', 'v2', 'cloud', 'ai'];
const gaps = ['', '', ' ', '-', '.', '/'];
const randomText = ({ int, pick }: Seeded, most = 3): string =>
  Array.from({ length: int(1, most) }, () => pick(syllables) + pick(gaps)).join('');

interface Doc {
  readonly id: string;
  readonly nameKey: string;
}

/** Every one of them is looked at. */
const naiveFound = <D extends Doc>(docs: readonly D[], namedOf: (doc: D) => NamedEntity, wanted: string) =>
  docs
    .flatMap((doc) => {
      const tier = naiveEntityTier(namedOf(doc), wanted);
      return tier === null ? [] : [{ doc, tier }];
    })
    .sort((a, b) => a.tier - b.tier || byName(a.doc, b.doc));

const naiveSections = (catalogue: Catalogue, q: string, limit: number) => {
  const wanted = wantedWord(q);
  if (wanted === null) return { orgs: [], catalog: [], collections: [] };
  const orgs = naiveFound(
    catalogue.orgs().filter((org) => isOrgVisible(org)),
    ({ name, slug, domain, aliases, category }) => ({
      name,
      slug,
      category,
      domains: [...aliases, ...(domain === null ? [] : [domain])],
    }),
    wanted,
  );
  const products = catalogue.productList().all(publicProductFilter(null));
  const sources = catalogue.sourceList().all(publicSourceFilter);
  const catalog = naiveFound(
    [...products, ...sources],
    (entry) =>
      'productId' in entry
        ? { name: entry.name, slug: entry.slug, url: entry.url, category: resolvedCategory(catalogue, entry) }
        : { ...entry, domains: entry.aliases },
    wanted,
  );
  const direct = naiveFound(catalogue.collections(), ({ name, slug }) => ({ name, slug }), wanted);
  const matched = [...orgs, ...catalog].sort((a, b) => a.tier - b.tier || byName(a.doc, b.doc));
  const reached = catalogue.collections().flatMap((doc) => {
    const memberIds = new Set(catalogue.membersOf(doc).map(({ member }) => member.id));
    const reasons = matched.filter(({ doc: each }) => {
      const parents = 'orgId' in each ? [each.orgId, 'productId' in each ? each.productId : null] : [];
      return [each.id, ...parents].some((id) => id !== null && memberIds.has(id));
    });
    return reasons.length === 0 ? [] : [{ doc, tier: reasons[0]!.tier, reasons }];
  });
  const others = reached
    .filter(({ doc }) => !direct.some((each) => each.doc.id === doc.id))
    .sort((a, b) => a.tier - b.tier || byName(a.doc, b.doc));
  const orgSlugOf = (doc: (typeof matched)[number]['doc']) =>
    catalogue.org('orgId' in doc ? (doc.orgId as string) : doc.id)!.slug;
  return {
    orgs: orgs.slice(0, limit).map(({ doc }) => doc.id),
    catalog: catalog.slice(0, limit).map(({ doc }) => doc.id),
    collections: [...direct, ...others].slice(0, limit).map(({ doc }) => ({
      slug: doc.slug,
      via: direct.some((each) => each.doc.id === doc.id) ? 'direct' : 'member',
      matchedOrgSlugs: [
        ...new Set(reached.find((each) => each.doc.id === doc.id)?.reasons.map((each) => orgSlugOf(each.doc))),
      ],
    })),
  };
};

const sections = (catalogue: Catalogue, q: string, limit: number) => {
  const { orgs, catalog, collections } = entitySections({ catalogue }, { q, limit });
  return {
    orgs: orgs.map(({ id }) => id),
    catalog: catalog.map(({ id }) => id),
    collections: collections.map(({ slug, via, matchedOrgSlugs }) => ({ slug, via, matchedOrgSlugs })),
  };
};

const at = '2026-01-05T00:00:00.000Z';
const steps: readonly (readonly [string, object])[] = [
  ['Hidden', { hiddenAt: at }],
  ['Unhidden', { unhiddenAt: at }],
  ['Unhidden', { unhiddenAt: at }],
  ['Deleted', { deletedAt: at }],
  ['Restored', { restoredAt: at }],
  ['Restored', { restoredAt: at }],
  ['Purged', { purgedAt: at }],
];

/** What happens next to one of these. */
const randomAppend = (random: Seeded): readonly [string, DomainEvent[]] => {
  const { int, pick, chance } = random;
  const number = (count: number) => `n${int(1, count)}`;
  const [org, product, source] = [number(15), number(15), number(40)];
  const category = chance(40) ? pick(categories.slice(0, 2)) : null;
  const name = randomText(random);
  const slug = randomText(random, 2).toLowerCase();
  const url = `https://${randomText(random, 4)}`;
  const aliases = chance(30) ? [randomText(random)] : [];
  const productId = chance(50) ? productIdOf(product) : null;
  const kind = pick(['Org', 'Product', 'Source', 'Source', 'Collection']);
  if (kind === 'Collection') {
    const members = Array.from({ length: int(0, 4) }, () =>
      chance(50) ? orgIdOf(number(15)) : productIdOf(number(15)),
    );
    const created = collectionCreated({ slug: `c${slug}`, name });
    const replaced = membersReplaced(...[...new Set(members)].map((id) => ({ id, position: null })));
    return [`collection-col_${number(8).padEnd(21, 'x')}`, chance(20) ? [collectionDeleted] : [created, replaced]];
  }
  const [type, data] = pick(steps);
  const step = { type: `${kind}${type}.v1`, data };
  if (kind === 'Org')
    return [`org-${orgIdOf(org)}`, [chance(60) ? orgCreated({ name, slug, category, aliases }) : step]];
  const orgId = orgIdOf(org);
  if (kind === 'Product') {
    const fields = { orgId, name, slug, category, aliases, url: chance(50) ? url : null };
    return [`product-${productIdOf(product)}`, [chance(60) ? productCreated(fields) : step]];
  }
  // One that never has another org.
  const ofSource = source.endsWith('3') ? null : orgIdOf(`n${(Number(source.slice(1)) % 15) + 1}`);
  const fields = { orgId: ofSource, name, slug, url, productId: ofSource === null ? null : productId };
  return [`source-${sourceIdOf(source)}`, [chance(70) ? sourceCreated(fields) : step]];
};

describe('the entity sections of a search', () => {
  it.each(seedsToRun(3))('are what looking at every entity finds, whatever has happened (seed %s)', async (seed) => {
    const random = createSeeded(seed);
    const registry = await openSampleRegistry(entitySectionsReads);
    try {
      for (let round = 0; round < 8; round += 1) {
        await registry.recordMany(Array.from({ length: 60 }, () => randomAppend(random)));
        await registry.catalogue.refresh();
        const loaded = await createCatalogue(registry.models);
        for (let turn = 0; turn < 12; turn += 1) {
          const [q, limit] = [randomText(random), random.pick([1, 5, 100])];
          const expected = naiveSections(registry.catalogue, q, limit);
          expect(sections(registry.catalogue, q, limit), `${q}, followed`).toEqual(expected);
          expect(sections(loaded, q, limit), `${q}, loaded`).toEqual(expected);
        }
      }
    } finally {
      await registry.close();
    }
  });
});
