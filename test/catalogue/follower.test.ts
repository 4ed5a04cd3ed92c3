import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { instantsProjection } from '../../projections/instants/instants.ts';
import { type OrgDocument, orgProjection } from '../../projections/org/org.ts';
import { everythingTag, tagsOfModel, tagsOfWrite } from '../../projections/tags-of-write.ts';
import { tokensProjection } from '../../projections/tokens/tokens.ts';
import { catalogueReads } from '../../src/catalogue/catalogue.ts';
import { createFollower, type ToldWrites } from '../../src/catalogue/follower.ts';
import { createTouchedTags, touchedTagsBytes } from '../../src/concurrency/shared-memory/touched-tags.ts';
import type { ReadModel } from '../../src/ports/read-models.ts';
import { openSampleRegistry, type SampleRegistry } from '../spec/worlds/sample-registry.ts';

let registry: SampleRegistry;
beforeEach(async () => {
  registry = await openSampleRegistry(catalogueReads);
});
afterEach(() => registry.close());

/** Keeps the slugs of all orgs. */
const follow = (model: ReadModel<OrgDocument>, told?: ToldWrites) => {
  const slugs = new Map<string, string>();
  const followed = {
    apply: ({ id, slug }: OrgDocument) => void slugs.set(id, slug),
    remove: (id: string) => void slugs.delete(id),
  };
  const follower = createFollower(model, followed, told);
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

describe('a follower of a read model that is fed in its process', () => {
  /** Of a projector that tells of each of its writes, once it can be read. */
  async function setUp() {
    const model = registry.models.of(orgProjection);
    const tags = createTouchedTags(new SharedArrayBuffer(touchedTagsBytes));
    let position = 0;
    let looks = 0;
    const counted: typeof model = {
      ...model,
      changedAfter: (...input) => {
        looks += 1;
        return model.changedAfter(...input);
      },
    };
    const told = { value: tags.stamp, isTouchedSince: tags.isTouchedSince, position: () => position };
    /** By the projector here: what it has written, and what of this concerns orgs. */
    const tell = async (touched: readonly string[]): Promise<void> => {
      tags.touch(touched);
      position = await model.checkpoint();
    };
    const { follower, slugs } = follow(counted, told);
    await follower.load();
    await registry.addOrg('first');
    await tell([everythingTag]);
    await follower.catchUp();
    looks = 0;
    return { follower, slugs, tags, tell, looks: () => looks };
  }
  const addSource = (name: string) => registry.addSource(name, 'first');

  it('asks for no changes where only the checkpoint moved', async () => {
    const { follower, slugs, tell, looks } = await setUp();
    await addSource('one');
    await tell(['i']);
    await follower.catchUp();
    expect([looks(), slugs()]).toEqual([0, ['first']]);
    await registry.addOrg('second');
    await tell([everythingTag]);
    await follower.catchUp();
    expect([looks(), slugs()]).toEqual([1, ['first', 'second']]);
  });

  it('asks for them where another process has written, be it a moment ago', async () => {
    const { follower, slugs, tags, tell } = await setUp();
    await registry.addOrg('of another');
    await follower.catchUp();
    expect(slugs()).toEqual(['first', 'of another']);
    await registry.addOrg('again');
    tags.touch([everythingTag]); // whoever takes over from another
    await addSource('one');
    await tell(['i']);
    await follower.catchUp();
    expect(slugs()).toEqual(['again', 'first', 'of another']);
  });

  it('misses nothing that is written and told while it catches up', async () => {
    const model = registry.models.of(orgProjection);
    const tags = createTouchedTags(new SharedArrayBuffer(touchedTagsBytes));
    let position = 0;
    let meanwhile: (() => Promise<void>) | null = null;
    const interrupted: typeof model = {
      ...model,
      changedAfter: async (...input) => {
        const rows = await model.changedAfter(...input);
        const work = meanwhile;
        meanwhile = null;
        await work?.();
        return rows;
      },
    };
    const told = { value: tags.stamp, isTouchedSince: tags.isTouchedSince, position: () => position };
    const write = async (name: string): Promise<void> => {
      await registry.addOrg(name);
      tags.touch([everythingTag]);
      position = await model.checkpoint();
    };
    const { follower, slugs } = follow(interrupted, told);
    await follower.load();
    await write('first');
    meanwhile = () => write('second');
    await follower.catchUp();
    await addSource('one');
    tags.touch(['i']);
    position = await model.checkpoint();
    await follower.catchUp();
    expect(slugs()).toEqual(['first', 'second']);
  });
});

it('a read model is told of by a tag that each write to it touches, or by none', () => {
  const change = { kind: 'delete', id: 'gone' } as const;
  for (const { name } of [orgProjection, instantsProjection]) {
    const touched = tagsOfWrite(name, [change]);
    expect(tagsOfModel(name)?.some((tag) => touched.has(tag))).toBe(true);
  }
  expect([tagsOfModel(tokensProjection.name), tagsOfWrite(tokensProjection.name, [change]).size]).toEqual([null, 0]);
});
