import { expect, it } from 'vitest';
import type { SourceDocument } from '../../projections/source/source.ts';
import { catalogueReads } from '../../src/catalogue/catalogue.ts';
import { createEntities } from '../../src/catalogue/entities.ts';
import { openSampleRegistry, sourceIdOf } from '../spec/worlds/sample-registry.ts';

const sampleSource = async (): Promise<SourceDocument> => {
  const registry = await openSampleRegistry(catalogueReads);
  try {
    await registry.addOrg('a');
    await registry.addSource('a', 'a');
    await registry.catalogue.refresh();
    return registry.catalogue.source(sourceIdOf('a'))!;
  } finally {
    await registry.close();
  }
};

/** A source that counts how often it is asked whose it is, or what it is called. */
const watched = (doc: SourceDocument, onLook: () => void): SourceDocument =>
  new Proxy(doc, {
    get: (target, name, receiver) => {
      if (name === 'orgId' || name === 'slug') onLook();
      return Reflect.get(target, name, receiver) as unknown;
    },
  });

it('finds a source of an org by its slug among few, however many orgs have one of that name or it has itself', async () => {
  const sample = await sampleSource();
  const entities = createEntities();
  let looks = 0;
  const add = (orgId: string, slug: string) =>
    entities.source.apply(watched({ ...sample, id: `${orgId}/${slug}`, orgId, slug }, () => (looks += 1)));
  for (let org = 0; org < 200; org += 1) add(`org ${org}`, 'docs');
  for (let number = 0; number < 200; number += 1) add('org 7', `part-${number}`);
  const { sourceOfOrg } = entities.reads;
  looks = 0;
  expect(sourceOfOrg('org 50', 'docs')?.id).toBe('org 50/docs');
  expect(sourceOfOrg('org 7', 'part-150')?.id).toBe('org 7/part-150');
  expect(sourceOfOrg('org 7', 'docs')?.id).toBe('org 7/docs'); // of many that it has, and that are called so
  expect(sourceOfOrg('org 8', 'part-150')).toBeUndefined();
  expect(sourceOfOrg('nobody', 'docs')).toBeUndefined();
  expect(looks).toBeLessThan(10);
});

it('finds no source of an org that was deleted, renamed or moved', async () => {
  const sample = { ...(await sampleSource()), orgId: 'one', slug: 'docs' };
  const entities = createEntities();
  const { sourceOfOrg } = entities.reads;
  for (const orgId of ['three', 'four']) entities.source.apply({ ...sample, id: orgId, orgId });
  entities.source.apply({ ...sample, deletedAt: '2026-03-15T12:00:00.000Z' });
  expect(sourceOfOrg('one', 'docs')).toBeUndefined();
  entities.source.apply({ ...sample, slug: 'other' });
  expect(sourceOfOrg('one', 'docs')).toBeUndefined();
  expect(sourceOfOrg('one', 'other')?.id).toBe(sample.id);
  entities.source.apply({ ...sample, orgId: 'two' });
  expect(sourceOfOrg('one', 'docs')).toBeUndefined();
  expect(sourceOfOrg('two', 'docs')?.id).toBe(sample.id);
});
