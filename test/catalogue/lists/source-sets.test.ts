import { afterEach, beforeEach, expect, it } from 'vitest';
import { openSampleRegistry, productIdOf, type SampleRegistry, sourceIdOf } from '../../spec/worlds/sample-registry.ts';

let registry: SampleRegistry;

beforeEach(async () => {
  registry = await openSampleRegistry();
  await registry.addOrg('acme', { category: 'ai' });
  await registry.addProduct('rocket', 'acme', { category: 'crm', kind: 'sdk' });
  await registry.addSource('code', 'acme', { productId: productIdOf('rocket') });
  await registry.addSource('blog', 'acme', { kind: 'docs' });
  await registry.addSource('alone', null);
});
afterEach(() => registry.close());

const names = (ids: ReadonlySet<string>): string[] =>
  ['alone', 'blog', 'code'].filter((name) => ids.has(sourceIdOf(name)));

const sets = async () => {
  await registry.catalogue.refresh();
  const { unseen, ofKind, ofCategory } = registry.catalogue.sourceSets();
  return {
    unseen: names(unseen()),
    sdk: names(ofKind('sdk')),
    docs: names(ofKind('docs')),
    ai: names(ofCategory('ai')),
    crm: names(ofCategory('crm')),
  };
};

const atFirst = { unseen: [], sdk: ['code'], docs: ['blog'], ai: ['blog'], crm: ['code'] };

it('sets of sources follow them, their product and their org', async () => {
  expect(await sets()).toEqual(atFirst);
  await registry.source('blog', 'Hidden');
  expect(await sets()).toEqual({ ...atFirst, unseen: ['blog'], docs: [], ai: [] });
  await registry.source('blog', 'Unhidden');
  await registry.org('acme', 'Hidden');
  expect(await sets()).toEqual({ unseen: ['blog', 'code'], sdk: [], docs: [], ai: [], crm: [] });
  await registry.org('acme', 'Unhidden');
  expect(await sets()).toEqual(atFirst);
  await registry.org('acme', 'Deleted');
  expect((await sets()).unseen).toEqual(['blog', 'code']);
  await registry.org('acme', 'Restored');
  await registry.product('rocket', { kind: 'tool' });
  expect(await sets()).toEqual({ ...atFirst, sdk: [] });
  await registry.product('rocket', 'Hidden');
  expect(await sets()).toEqual({ unseen: [], sdk: [], docs: ['blog'], ai: ['blog', 'code'], crm: [] });
  await registry.source('alone', 'Deleted');
  expect((await sets()).unseen).toEqual(['alone']);
});
