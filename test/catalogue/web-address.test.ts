import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { catalogueReads } from '../../src/catalogue/catalogue.ts';
import { collectionOfWebPath, orgOfWebPath, partOfWebPath, sourceOfWebPath } from '../../src/catalogue/web-address.ts';
import { type ErrorCode, isDomainError } from '../../src/kernel/errors.ts';
import { collectionCreated } from '../spec/events/collection-events.ts';
import {
  openSampleRegistry,
  orgIdOf,
  productIdOf,
  type SampleRegistry,
  sourceIdOf,
} from '../spec/worlds/sample-registry.ts';

let registry: SampleRegistry;
beforeEach(async () => {
  registry = await openSampleRegistry(catalogueReads);
  const { addOrg, addProduct, addSource } = registry;
  await addOrg('acme', { domain: 'acme.example', aliases: ['acme.test'] });
  await addOrg('zeta');
  await addProduct('rocket', 'acme');
  await addSource('blog', 'acme');
});
afterEach(() => registry.close());

const failure = (run: () => unknown): ErrorCode => {
  try {
    run();
  } catch (error) {
    if (isDomainError(error)) return error.code;
    throw error;
  }
  throw new Error('it was found');
};

const look = async () => {
  const { catalogue } = registry;
  await catalogue.refresh();
  return {
    org: (segment: string) => orgOfWebPath(catalogue, segment).id,
    part: (org: string, segment: string) => {
      const part = partOfWebPath(catalogue, orgIdOf(org), segment);
      return 'product' in part ? part.product.id : part.source.id;
    },
    source: (segment: string) => sourceOfWebPath(catalogue, segment).id,
    collection: (segment: string) => collectionOfWebPath(catalogue, segment).id,
  };
};

describe('an org', () => {
  it('is named by its slug, id and domains, and by the slugs that it had', async () => {
    await registry.org('acme', { slug: 'acme-labs' });
    const { org } = await look();
    for (const name of ['acme-labs', 'acme', 'ACME', orgIdOf('acme'), 'acme.example', 'acme.test']) {
      expect(org(name), name).toBe(orgIdOf('acme'));
    }
    expect(failure(() => org('nobody'))).toBe('not_found');
  });

  it('loses an earlier slug to one that has it now, be that one hidden', async () => {
    await registry.org('acme', { slug: 'acme-labs' });
    await registry.org('zeta', { slug: 'acme' });
    expect((await look()).org('acme')).toBe(orgIdOf('zeta'));
    expect((await look()).org('zeta')).toBe(orgIdOf('zeta'));
    await registry.org('zeta', 'Hidden');
    const { org } = await look();
    expect(failure(() => org('acme'))).toBe('not_found');
    expect(failure(() => org('zeta'))).toBe('not_found');
  });

  it('is the one that had a slug last, however the documents came in', async () => {
    await registry.org('acme', { slug: 'shared' });
    await registry.org('acme', { slug: 'acme' });
    await registry.org('zeta', { slug: 'shared' });
    await registry.org('zeta', { slug: 'zeta' });
    await registry.org('acme', { name: 'Acme, touched last' });
    expect((await look()).org('shared')).toBe(orgIdOf('zeta'));
    await registry.org('zeta', 'Deleted');
    expect((await look()).org('shared')).toBe(orgIdOf('acme'));
  });
});

describe('what is below an org', () => {
  it('is a product before a source, by slug or id', async () => {
    await registry.addSource('rocket', 'acme');
    const { part } = await look();
    expect(part('acme', 'rocket')).toBe(productIdOf('rocket'));
    expect(part('acme', productIdOf('rocket'))).toBe(productIdOf('rocket'));
    expect(part('acme', sourceIdOf('rocket'))).toBe(sourceIdOf('rocket'));
    expect(failure(() => part('zeta', 'rocket'))).toBe('not_found');
  });

  it('is a source by a slug that it had there, unless another thing of the org has it', async () => {
    await registry.source('blog', { slug: 'news' });
    expect((await look()).part('acme', 'blog')).toBe(sourceIdOf('blog'));
    const { part } = await look();
    expect(failure(() => part('zeta', 'blog'))).toBe('not_found');
    await registry.addProduct('taken', 'acme', { slug: 'blog' });
    await registry.product('taken', 'Hidden');
    const later = await look();
    expect(failure(() => later.part('acme', 'blog'))).toBe('not_found');
  });
});

describe('a source by itself', () => {
  it('is the standalone one, else the only one of an org', async () => {
    expect((await look()).source('blog')).toBe(sourceIdOf('blog'));
    await registry.addSource('blog2', 'zeta', { slug: 'blog' });
    const { source } = await look();
    expect(failure(() => source('blog'))).toBe('ambiguous_slug');
    await registry.addSource('alone', null, { slug: 'blog' });
    expect((await look()).source('blog')).toBe(sourceIdOf('alone'));
    expect((await look()).source(sourceIdOf('blog2'))).toBe(sourceIdOf('blog2'));
  });

  it('is known by a slug that it had', async () => {
    await registry.addSource('alone', null);
    await registry.source('alone', { slug: 'lonely' });
    await registry.source('blog', { slug: 'news' });
    const { source } = await look();
    expect([source('alone'), source('blog')]).toEqual([sourceIdOf('alone'), sourceIdOf('blog')]);
    expect(failure(() => source('nobody'))).toBe('not_found');
  });
});

it('a collection is named by its slug and id, and by the slugs that it had', async () => {
  const id = `col_${'T'.repeat(21)}`;
  const changed = { type: 'CollectionChanged.v1', data: { changed: { slug: 'kit' } } };
  await registry.record(`collection-${id}`, [collectionCreated(), changed]);
  const { collection } = await look();
  for (const name of ['kit', 'tools', id]) expect(collection(name), name).toBe(id);
  expect(failure(() => collection('nobody'))).toBe('not_found');
});
