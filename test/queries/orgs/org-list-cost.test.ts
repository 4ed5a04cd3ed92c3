import { afterAll, beforeAll, expect, it } from 'vitest';
import { orgList, type OrgListInput } from '../../../queries/orgs/org-list.ts';
import { catalogueReads } from '../../../src/catalogue/catalogue.ts';
import {
  openSampleRegistry,
  orgStream,
  releaseStream,
  type SampleRegistry,
  sourceStream,
} from '../../spec/worlds/sample-registry.ts';

const orgCount = 300;
const limit = 20;
const nowMs = Date.parse('2026-03-15T12:00:00.000Z');
const numbers = Array.from({ length: orgCount }, (_, number) => String(number).padStart(3, '0'));
const isFeatured = (number: string): boolean => Number(number) % 2 === 0;

const asking = { nowMs, admin: false };
const noFilter = { q: null, category: null, featured: false, includeEmpty: false, includeHidden: false, limit };

let registry: SampleRegistry;

/** All of them have a release but the last one. */
beforeAll(async () => {
  registry = await openSampleRegistry(catalogueReads);
  const orgs = numbers.map((number) =>
    orgStream(number, { slug: `org-${number}`, name: `Org ${number}`, featured: isFeatured(number) }),
  );
  const sources = numbers.map((number) => sourceStream(number, number));
  const releases = numbers.slice(0, -1).map((number) => releaseStream(number, { source: number, org: number }));
  await registry.recordMany([...orgs, ...sources, ...releases]);
  await registry.catalogue.refresh();
});
afterAll(() => registry.close());

it.each<[string, Partial<OrgListInput>, (number: string) => boolean]>([
  ['of the featured', { featured: true }, isFeatured],
  ['of those with a part that all have', { q: 'ORG' }, () => true],
  ['of those with a letter that all have', { q: 'o' }, () => true],
  ['of the featured among these', { q: 'org', featured: true }, isFeatured],
])('a page of orgs asks nothing of those that it does not show: %s', (_, input, isListed) => {
  const asked: string[] = [];
  const catalogue = {
    ...registry.catalogue,
    hasReleases: (orgId: string, atMs: number) => {
      asked.push(orgId);
      return registry.catalogue.hasReleases(orgId, atMs);
    },
  };
  const { items, pagination } = orgList({ catalogue }, { ...noFilter, page: 2, ...input }, asking);
  const listed = numbers.slice(0, -1).filter(isListed);
  expect(items.map(({ slug }) => slug)).toEqual(listed.slice(limit, 2 * limit).map((number) => `org-${number}`));
  expect(pagination.totalItems).toBe(listed.length);
  expect(asked.length).toBeLessThanOrEqual(limit);
});

it('nor does a name that few have bring one without releases, unless it is asked for', () => {
  const [last] = numbers.slice(-1);
  const found = (includeEmpty: boolean): string[] => {
    const { items } = orgList(registry, { ...noFilter, page: 1, q: `g ${last}`, includeEmpty }, asking);
    return items.map(({ slug }) => slug);
  };
  expect([found(false), found(true)]).toEqual([[], [`org-${last}`]]);
});
