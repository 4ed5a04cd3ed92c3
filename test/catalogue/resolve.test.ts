import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { catalogueReads } from '../../src/catalogue/catalogue.ts';
import {
  resolveOrg,
  resolveProduct,
  resolveProductOf,
  resolveSource,
  resolveSourceOf,
} from '../../src/catalogue/resolve.ts';
import { type ErrorCode, isDomainError } from '../../src/kernel/errors.ts';
import {
  openSampleRegistry,
  orgIdOf,
  productIdOf,
  type SampleRegistry,
  sourceIdOf,
} from '../spec/worlds/sample-registry.ts';

const acme = orgIdOf('acme');
const zeta = orgIdOf('zeta');

let registry: SampleRegistry;
beforeEach(async () => {
  registry = await openSampleRegistry(catalogueReads);
  const { addOrg, addProduct, addSource, catalogue } = registry;
  await addOrg('acme', { domain: 'acme.example', aliases: ['acme.test'] });
  await addOrg('zeta');
  await addProduct('rocket', 'acme');
  await addSource('blog', 'acme');
  await catalogue.refresh();
});
afterEach(() => registry.close());

const failure = (run: () => unknown): [ErrorCode, unknown] => {
  try {
    run();
  } catch (error) {
    if (isDomainError(error)) return [error.code, error.details];
    throw error;
  }
  throw new Error('it was found');
};
const notFound = (entity: string) => ['not_found', { entity }];

describe('an org', () => {
  it('is found by slug, id, domain and alias, in any case', () => {
    for (const identifier of ['acme', 'ACME', acme, 'acme.example', 'Acme.Example', 'ACME.test']) {
      expect(resolveOrg(registry.catalogue, identifier, false).id, identifier).toBe(acme);
    }
    for (const identifier of ['', 'nobody', 'nobody.example', orgIdOf('nobody'), 'org_short']) {
      expect(failure(() => resolveOrg(registry.catalogue, identifier, true))).toEqual(notFound('org'));
    }
  });

  it('is found hidden by an admin only, and deleted by nobody', async () => {
    const { catalogue, org } = registry;
    await org('acme', 'Hidden');
    await catalogue.refresh();
    expect(failure(() => resolveOrg(catalogue, 'acme', false))).toEqual(notFound('org'));
    expect(resolveOrg(catalogue, 'acme', true).id).toBe(acme);
    await org('acme', 'Deleted');
    await catalogue.refresh();
    expect(failure(() => resolveOrg(catalogue, acme, true))).toEqual(notFound('org'));
  });
});

describe('a product', () => {
  it('is found below its org by slug and id', () => {
    const { catalogue } = registry;
    expect(resolveProductOf(catalogue, acme, 'rocket', false).id).toBe(productIdOf('rocket'));
    expect(resolveProductOf(catalogue, acme, productIdOf('rocket'), false).id).toBe(productIdOf('rocket'));
    expect(failure(() => resolveProductOf(catalogue, zeta, 'rocket', false))).toEqual(notFound('product'));
    expect(failure(() => resolveProductOf(catalogue, zeta, productIdOf('rocket'), true))).toEqual(notFound('product'));
  });

  it('is found bare by its id only', () => {
    const { catalogue } = registry;
    expect(resolveProduct(catalogue, productIdOf('rocket'), false).slug).toBe('rocket');
    expect(failure(() => resolveProduct(catalogue, 'rocket', false))).toEqual([
      'bare_slug_rejected',
      { entity: 'product' },
    ]);
    expect(failure(() => resolveProduct(catalogue, 'prod_x', false))).toEqual(notFound('product'));
  });
});

describe('a source', () => {
  it('is found below its org and bare, by slug and id', () => {
    const { catalogue } = registry;
    for (const identifier of ['blog', sourceIdOf('blog')]) {
      expect(resolveSource(catalogue, identifier, false).id).toBe(sourceIdOf('blog'));
      expect(resolveSourceOf(catalogue, acme, identifier, false).id).toBe(sourceIdOf('blog'));
      expect(failure(() => resolveSourceOf(catalogue, zeta, identifier, false))).toEqual(notFound('source'));
    }
    expect(failure(() => resolveSource(catalogue, 'Blog', false))).toEqual(notFound('source'));
  });

  it('cannot be told by a slug that several visible ones share', async () => {
    const { catalogue, addSource, org, source } = registry;
    await addSource('blog2', 'zeta', { slug: 'blog', name: 'Zeta blog' });
    await addSource('blog3', null, { slug: 'blog' });
    await catalogue.refresh();
    const candidate = (name: string, orgId: string | null, orgSlug: string | null, path: string, label = name) => ({
      id: sourceIdOf(name),
      slug: 'blog',
      name: label,
      orgId,
      orgSlug,
      path,
    });
    expect(failure(() => resolveSource(catalogue, 'blog', false))).toEqual([
      'ambiguous_slug',
      {
        entity: 'source',
        slug: 'blog',
        candidates: [
          candidate('blog3', null, null, `/v1/sources/${sourceIdOf('blog3')}`),
          candidate('blog', acme, 'acme', '/v1/orgs/acme/sources/blog'),
          candidate('blog2', zeta, 'zeta', '/v1/orgs/zeta/sources/blog', 'Zeta blog'),
        ],
      },
    ]);
    await source('blog3', 'Hidden');
    await org('zeta', 'Hidden');
    await catalogue.refresh();
    expect(resolveSource(catalogue, 'blog', false).id).toBe(sourceIdOf('blog'));
    expect(failure(() => resolveSource(catalogue, 'blog', true))[0]).toBe('ambiguous_slug');
  });
});
