import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { catalogueReads } from '../../src/catalogue/catalogue.ts';
import { emptyOrgCount, instantsOfSources, topProducts } from '../../src/catalogue/entity-numbers.ts';
import { releaseCount } from '../../src/catalogue/numbers.ts';
import { isPrimarySource } from '../../src/catalogue/primary-source.ts';
import {
  allSight,
  resolvedKind,
  type Sight,
  shownProduct,
  sightOn,
  visibleProductsOf,
  visibleSourcesOf,
} from '../../src/catalogue/visibility.ts';
import {
  openSampleRegistry,
  orgIdOf,
  productIdOf,
  type SampleRegistry,
  sourceIdOf,
} from '../spec/worlds/sample-registry.ts';

const nowMs = Date.parse('2026-03-15T12:00:00.000Z');
const acme = orgIdOf('acme');

let registry: SampleRegistry;
beforeEach(async () => {
  registry = await openSampleRegistry(catalogueReads);
  const { addOrg, addProduct, addSource, addRelease } = registry;
  await addOrg('acme');
  await addProduct('rocket', 'acme', { kind: 'tool' });
  await addSource('blog', 'acme');
  await addSource('code', 'acme', { productId: productIdOf('rocket') });
  await addRelease('one', 'blog');
  await addRelease('two', 'code');
  await addRelease('three', 'code');
});
afterEach(() => registry.close());

const sourcesSeen = async (sight?: Sight) => {
  await registry.catalogue.refresh();
  return visibleSourcesOf(registry.catalogue, acme, sight)
    .map(({ slug }) => slug)
    .sort();
};
const releasesSeen = (sight?: Sight) =>
  releaseCount(instantsOfSources(registry.catalogue, visibleSourcesOf(registry.catalogue, acme, sight)), nowMs);
const sourceOf = (name: string) => {
  const source = registry.catalogue.source(sourceIdOf(name));
  if (source === undefined) throw new Error(`no source ${name}`);
  return source;
};

describe('visibility', () => {
  it('takes a hidden source out of lists and counts, but not from those who include hidden ones', async () => {
    await registry.source('code', 'Hidden');
    expect(await sourcesSeen()).toEqual(['blog']);
    expect(releasesSeen()).toBe(1);
    expect(await sourcesSeen(allSight)).toEqual(['blog', 'code']);
    expect(await sourcesSeen(sightOn(true, acme))).toEqual(['blog']);
    await registry.source('code', 'Unhidden');
    expect(await sourcesSeen()).toEqual(['blog', 'code']);
  });

  it('takes everything of a hidden org out, except for an admin who addresses it', async () => {
    await registry.org('acme', 'Hidden');
    expect(await sourcesSeen()).toEqual([]);
    expect(releasesSeen()).toBe(0);
    expect(visibleProductsOf(registry.catalogue, acme)).toEqual([]);
    expect(await sourcesSeen(sightOn(true, acme))).toEqual(['blog', 'code']);
    expect(releasesSeen(sightOn(true, acme))).toBe(3);
    expect(await sourcesSeen(sightOn(false, acme))).toEqual([]);
  });

  it('shows what is deleted to nobody', async () => {
    await registry.source('code', 'Deleted');
    expect(await sourcesSeen(allSight)).toEqual(['blog']);
    await registry.org('acme', 'Deleted');
    expect(await sourcesSeen(allSight)).toEqual([]);
    expect(visibleProductsOf(registry.catalogue, acme, allSight)).toEqual([]);
    await registry.org('acme', 'Restored');
    expect(await sourcesSeen()).toEqual(['blog']);
  });

  it('keeps the sources of a hidden or deleted product, without their product', async () => {
    const seen = async () => {
      expect(await sourcesSeen()).toEqual(['blog', 'code']);
      const source = sourceOf('code');
      return [shownProduct(registry.catalogue, source)?.slug ?? null, resolvedKind(registry.catalogue, source)];
    };
    expect(await seen()).toEqual(['rocket', 'tool']);
    await registry.product('rocket', 'Hidden');
    expect(await seen()).toEqual([null, null]);
    await registry.product('rocket', 'Unhidden');
    await registry.product('rocket', 'Deleted');
    expect(await seen()).toEqual([null, null]);
    await registry.product('rocket', 'Restored');
    expect(await seen()).toEqual(['rocket', 'tool']);
  });

  it('prefers the kind of the source to that of its product', async () => {
    await registry.source('code', { kind: 'sdk' });
    await registry.catalogue.refresh();
    expect(resolvedKind(registry.catalogue, sourceOf('code'))).toBe('sdk');
  });
});

describe('numbers of the whole', () => {
  it('name the products with the most releases, by name among equals, three at most', async () => {
    const { addProduct, catalogue } = registry;
    for (const name of ['zeta', 'Beta', 'alpha']) await addProduct(name, 'acme');
    await catalogue.refresh();
    expect(topProducts(catalogue, acme, nowMs)).toEqual(['rocket', 'alpha', 'Beta']);
  });

  it('name the only product of an org without a look at its releases', async () => {
    await registry.catalogue.refresh();
    const sourcesOfProduct = () => {
      throw new Error('its releases were counted');
    };
    expect(topProducts({ ...registry.catalogue, sourcesOfProduct }, acme, nowMs)).toEqual(['rocket']);
  });

  it('count orgs without counted releases, of one category or of all', async () => {
    const { addOrg, addSource, addRelease, catalogue, source } = registry;
    await addOrg('empty', { category: 'ai' });
    await addOrg('ahead', { category: 'crm' });
    await addSource('later', 'ahead');
    await addRelease('future', 'later', { publishedAt: '2026-04-01T00:00:00.000Z' });
    await catalogue.refresh();
    expect(emptyOrgCount(catalogue, null, nowMs)).toBe(2);
    expect(emptyOrgCount(catalogue, 'ai', nowMs)).toBe(1);
    expect(emptyOrgCount(catalogue, null, Date.parse('2026-03-31T23:59:00.000Z'))).toBe(1);
    await source('blog', 'Hidden');
    await source('code', 'Hidden');
    await catalogue.refresh();
    expect(emptyOrgCount(catalogue, null, nowMs)).toBe(3);
  });
});

describe('the primary source', () => {
  const primaries = async () => {
    await registry.catalogue.refresh();
    return registry.catalogue
      .sourcesOfOrg(acme)
      .filter((source) => isPrimarySource(registry.catalogue, source))
      .map(({ slug }) => slug)
      .sort();
  };

  it('is the sibling that asked last; siblings are those of the same product, or of the org without one', async () => {
    const { addSource, source } = registry;
    await addSource('news', 'acme');
    expect(await primaries()).toEqual([]);
    await source('blog', { isPrimary: true });
    await source('code', { isPrimary: true });
    expect(await primaries()).toEqual(['blog', 'code']);
    await source('news', { isPrimary: true });
    expect(await primaries()).toEqual(['code', 'news']);
    await source('blog', { isPrimary: true });
    expect(await primaries()).toEqual(['blog', 'code']);
  });

  it('has cleared the others for good: when it is deleted, gives it up or moves away, there is none', async () => {
    const { addSource, source } = registry;
    await addSource('news', 'acme', { isPrimary: true });
    await source('blog', { isPrimary: true });
    await source('blog', 'Deleted');
    expect(await primaries()).toEqual([]);
    await source('blog', 'Restored');
    expect(await primaries()).toEqual(['blog']);
    await source('blog', { isPrimary: false });
    expect(await primaries()).toEqual([]);
    await source('news', { isPrimary: true });
    await source('news', { productId: productIdOf('rocket') });
    expect(await primaries()).toEqual([]);
    await source('news', { productId: null });
    expect(await primaries()).toEqual(['news']);
  });

  it('of one group is not touched by one that joins it, nor by those that lose their product', async () => {
    const { addSource, source, product } = registry;
    await addSource('news', 'acme');
    await source('code', { isPrimary: true }); // of the product
    await source('news', { isPrimary: true });
    await source('blog', { isPrimary: true });
    await source('blog', { productId: productIdOf('rocket') });
    expect(await primaries()).toEqual(['code']);
    await source('news', { isPrimary: true });
    await product('rocket', 'Deleted');
    expect(await primaries()).toEqual(['news']);
  });
});
