import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type OrgDocument, orgProjection } from '../../projections/org/org.ts';
import { catalogueReads } from '../../src/catalogue/catalogue.ts';
import { createFollower } from '../../src/catalogue/follower.ts';
import type { ReadModel } from '../../src/ports/read-models.ts';
import { openSampleRegistry, type SampleRegistry } from '../spec/worlds/sample-registry.ts';

let registry: SampleRegistry;
beforeEach(async () => {
  registry = await openSampleRegistry(catalogueReads);
});
afterEach(() => registry.close());

/** Keeps the slugs of all orgs. */
const follow = (model: ReadModel<OrgDocument>) => {
  const slugs = new Map<string, string>();
  const follower = createFollower(model, {
    apply: ({ id, slug }) => void slugs.set(id, slug),
    remove: (id) => void slugs.delete(id),
  });
  return { follower, slugs: () => [...slugs.values()].sort() };
};

describe('a follower of a read model', () => {
  it('misses nothing that is written while it loads', async () => {
    await registry.addOrg('a');
    const model = registry.models.of(orgProjection);
    const { follower, slugs } = follow({
      ...model,
      readAll: async (onPage) => {
        await model.readAll(onPage);
        for (const name of ['b', 'c']) await registry.addOrg(name); // behind what was read
      },
    });
    await follower.load();
    expect(slugs()).toEqual(['a']);
    await follower.catchUp();
    expect(slugs()).toEqual(['a', 'b', 'c']);
  });

  it('goes on from where it was', async () => {
    const model = registry.models.of(orgProjection);
    const { follower, slugs } = follow(model);
    await follower.load();
    await registry.addOrg('a');
    await follower.catchUp();
    await registry.org('a', { slug: 'renamed' });
    await registry.addOrg('b');
    await follower.catchUp();
    expect(slugs()).toEqual(['b', 'renamed']);
  });
});
