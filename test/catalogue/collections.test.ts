import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { catalogueReads, createCatalogue } from '../../src/catalogue/catalogue.ts';
import type { CollectionEvent, CollectionMember } from '../../src/domain/collection/events.ts';
import { collectionCreated, collectionDeleted, membersReplaced } from '../spec/events/collection-events.ts';
import { openSampleRegistry, orgIdOf, productIdOf, type SampleRegistry } from '../spec/worlds/sample-registry.ts';

let registry: SampleRegistry;
beforeEach(async () => {
  registry = await openSampleRegistry(catalogueReads);
});
afterEach(() => registry.close());

const idOf = (name: string) => `col_${name.padEnd(21, 'x')}`;
const record = (name: string, ...events: CollectionEvent[]) => registry.record(`collection-${idOf(name)}`, events);
const add = (name: string, fields: object = {}) => record(name, collectionCreated({ slug: name, name, ...fields }));
const change = (name: string, changed: object) =>
  record(name, { type: 'CollectionChanged.v1', data: { changed } } as CollectionEvent);
const org = (name: string, position: number | null = null): CollectionMember => ({ id: orgIdOf(name), position });
const product = (name: string): CollectionMember => ({ id: productIdOf(name), position: null });

/** What one answers that followed, after one that was just loaded has answered the same. */
const seen = async () => {
  await registry.catalogue.refresh();
  const [followed, loaded] = [registry.catalogue, await createCatalogue(registry.models)].map((catalogue) => ({
    all: catalogue.collections().map(({ slug }) => slug),
    featured: catalogue.featuredCollections().map(({ slug }) => slug),
    members: Object.fromEntries(
      catalogue
        .collections()
        .map((each) => [each.slug, catalogue.membersOf(each).map(({ org, product }) => (product ?? org).name)]),
    ),
  }));
  expect(followed).toEqual(loaded);
  return followed!;
};

describe('collections of a catalogue that follows', () => {
  it('are in order of names, whatever happens to them', async () => {
    for (const name of ['b', 'a', 'c']) await add(name, { isFeatured: name !== 'a' });
    expect(await seen()).toMatchObject({ all: ['a', 'b', 'c'], featured: ['b', 'c'] });
    await change('b', { name: 'Z', slug: 'z' });
    await change('c', { isFeatured: false });
    expect(await seen()).toMatchObject({ all: ['a', 'c', 'z'], featured: ['z'] });
    expect(registry.catalogue.collectionBySlug('b')).toBeUndefined();
    await record('a', collectionDeleted);
    await add('d', { slug: 'a' });
    expect(await seen()).toMatchObject({ all: ['c', 'a', 'z'] });
    expect(registry.catalogue.collectionBySlug('a')?.id).toBe(idOf('d'));
    expect(registry.catalogue.collection(idOf('a'))).toBeUndefined();
  });

  it('have the members that everybody sees now', async () => {
    for (const name of ['x', 'y']) await registry.addOrg(name);
    await registry.addProduct('p', 'x');
    await add('a');
    await record('a', membersReplaced(org('y', 1), org('x'), product('p')));
    const members = async () => (await seen()).members['a'];
    expect(await members()).toEqual(['y', 'p', 'x']);
    await registry.product('p', { name: 'Z' });
    expect(await members()).toEqual(['y', 'x', 'Z']);
    await registry.product('p', 'Hidden');
    expect(await members()).toEqual(['y', 'x']);
    await registry.product('p', 'Unhidden');
    await registry.org('x', 'Hidden');
    expect(await members()).toEqual(['y']);
    await registry.org('x', 'Unhidden');
    await registry.org('y', 'Deleted');
    expect(await members()).toEqual(['x', 'Z']);
    await record('a', membersReplaced(product('p')));
    expect(await members()).toEqual(['Z']);
  });

  it('lose a product with its org, which is no member itself', async () => {
    await registry.addOrg('x');
    await registry.addProduct('p', 'x');
    await add('a');
    await record('a', membersReplaced(product('p')));
    expect((await seen()).members).toEqual({ a: ['p'] });
    await registry.org('x', 'Hidden');
    expect((await seen()).members).toEqual({ a: [] });
  });
});
