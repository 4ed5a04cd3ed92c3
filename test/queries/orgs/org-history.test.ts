import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { orgHistory } from '../../../queries/orgs/org-history.ts';
import { openSampleRegistry, orgIdOf, type SampleRegistry } from '../../spec/worlds/sample-registry.ts';

let registry: SampleRegistry;

beforeAll(async () => {
  registry = await openSampleRegistry();
  await registry.addOrg('acme');
  await registry.org('acme', { description: 'Shown' });
  await registry.addSource('veiled', 'acme');
  for (let change = 0; change < 10; change += 1) await registry.source('veiled', { name: `Name ${change}` });
  await registry.source('veiled', 'Hidden');
  await registry.catalogue.refresh();
});
afterAll(() => registry.close());

const pageOf = (cursor: string | null, admin: boolean, rowsMax?: number) =>
  orgHistory(registry, { org: orgIdOf('acme'), limit: 5, cursor, sent: {} }, admin, rowsMax);

/** How many items each page has, and what they are. */
const pagesOf = async (admin: boolean, rowsMax?: number) => {
  const sizes: number[] = [];
  const types: string[] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof pageOf>> = await pageOf(cursor, admin, rowsMax);
    sizes.push(page.items.length);
    types.push(...page.items.map(({ type }) => type));
    cursor = page.pagination.nextCursor;
  } while (cursor !== null);
  return { sizes, types };
};

describe('a page of the history of an org', () => {
  it('looks no further than it may, and goes on from there', async () => {
    // Twelve changes of what is hidden come first, then the two that everybody is told of.
    expect(await pagesOf(false, 4)).toEqual({ sizes: [0, 0, 0, 2], types: ['org.changed', 'org.created'] });
    expect(await pagesOf(false, 13)).toEqual({ sizes: [1, 1], types: ['org.changed', 'org.created'] });
  });

  it('is whole where all that it takes is within reach', async () => {
    expect(await pagesOf(false)).toEqual({ sizes: [2], types: ['org.changed', 'org.created'] });
    expect((await pagesOf(true)).sizes).toEqual([5, 5, 4]);
    // One more than the page has tells whether there is another.
    expect((await pagesOf(true, 6)).sizes).toEqual([5, 5, 4]);
  });
});
