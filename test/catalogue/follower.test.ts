import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type OrgDocument, orgProjection } from '../../projections/org/org.ts';
import { catalogueReads } from '../../src/catalogue/catalogue.ts';
import { createFollower, type ToldWrites } from '../../src/catalogue/follower.ts';
import { createProjectedStamp, toldWrites } from '../../src/compose/threads/projected-stamp.ts';
import { createTellDocuments, createToldDocuments } from '../../src/compose/threads/told-documents.ts';
import { put, remove } from '../../src/kernel/projection.ts';
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
  const { name, generation } = orgProjection;

  /** A projector that tells of each of its writes, once it can be read. */
  async function setUp(follows: readonly string[] = [name]) {
    const model = registry.models.of(orgProjection);
    const documents = createToldDocuments([name]);
    const { data } = documents.handOver();
    const stamp = createProjectedStamp(undefined, createTellDocuments({ ...data, names: follows }));
    const questions: string[] = [];
    const meanwhile: Partial<Record<'looking' | 'asking' | 'asked', () => Promise<void>>> = {};
    const workOf = (when: keyof typeof meanwhile): (() => Promise<void>) => {
      const work = meanwhile[when];
      delete meanwhile[when];
      return work ?? (async () => {});
    };
    const asked: typeof model = {
      ...model,
      checkpoint: async () => {
        questions.push('checkpoint');
        await workOf('looking')();
        return model.checkpoint();
      },
      changedAfter: async (...input) => {
        questions.push('changes');
        await workOf('asking')();
        const rows = await model.changedAfter(...input);
        await workOf('asked')();
        return rows;
      },
    };
    let toldTo = await model.checkpoint();
    const tell = async ({ announce } = stamp): Promise<void> => {
      const position = await model.checkpoint();
      const changed = await model.changedAfter({ position: toldTo + 1, id: '' }, 100);
      toldTo = position;
      const changes = changed.map(({ id, doc }) => (doc === null ? remove(id) : put(doc)));
      announce([{ name, generation, position, changes }]);
    };
    /** Of another process, which tells nobody here; whoever takes over from it has told what was before. */
    const writeElsewhere = async (slug: string): Promise<void> => {
      await registry.addOrg(slug);
      toldTo = await model.checkpoint();
    };
    const { follower, slugs } = follow(asked, toldWrites(stamp, documents));
    await follower.load();
    await registry.addOrg('first');
    await tell();
    await follower.catchUp();
    questions.length = 0;
    return {
      ...{ follower, slugs, stamp, tell, writeElsewhere, questions, documents },
      /** Between what was told and the answer of the store. */
      whileLooking: (work: () => Promise<void>) => {
        meanwhile.looking = work;
      },
      /** Behind the checkpoint that the store answered, and before its changes. */
      whileAsking: (work: () => Promise<void>) => {
        meanwhile.asking = work;
      },
      /** Behind the changes that the store answered. */
      whileAsked: (work: () => Promise<void>) => {
        meanwhile.asked = work;
      },
    };
  }
  const addSource = (slug: string) => registry.addSource(slug, 'first');

  it('is told what was written, and asks nothing', async () => {
    const { follower, slugs, tell, questions } = await setUp();
    await registry.addOrg('second');
    await tell();
    await registry.org('first', { slug: 'renamed' });
    await tell();
    await addSource('one');
    await tell(); // only its checkpoint moved
    await follower.catchUpTold();
    expect([slugs(), questions]).toEqual([['renamed', 'second'], []]);
    await registry.addOrg('third');
    await tell();
    await follower.catchUp();
    expect([slugs(), questions]).toEqual([['renamed', 'second', 'third'], ['checkpoint']]);
  });

  it('goes on from the store where it was, behind what it was told', async () => {
    const { follower, slugs, stamp, tell, writeElsewhere } = await setUp();
    await registry.addOrg('told');
    await tell();
    await follower.catchUpTold();
    await writeElsewhere('of another');
    await follower.catchUp();
    expect(slugs()).toEqual(['first', 'of another', 'told']);
    stamp.announce(null);
    await registry.addOrg('again told');
    await tell();
    await follower.catchUpTold();
    expect(slugs()).toEqual(['again told', 'first', 'of another', 'told']);
  });

  it('asks where more was written than is kept for whoever does not ask', async () => {
    const { follower, slugs, tell, questions } = await setUp();
    for (let write = 0; write < 200; write += 1) {
      await registry.org('first', { slug: `first-${write}` });
      await tell();
    }
    await follower.catchUpTold();
    expect([slugs(), questions]).toEqual([['first-199'], ['changes']]);
    questions.length = 0;
    await registry.addOrg('told again');
    await tell();
    await follower.catchUpTold();
    expect([slugs(), questions]).toEqual([['first-199', 'told again'], []]);
  });

  it('asks for what is told to nobody', async () => {
    const { follower, slugs, tell, questions } = await setUp([]);
    await registry.addOrg('second');
    await tell();
    await follower.catchUpTold();
    expect([slugs(), questions]).toEqual([['first', 'second'], ['changes']]);
  });

  it('asks where another process may have written before this one did again', async () => {
    const { follower, slugs, stamp, tell, writeElsewhere } = await setUp();
    await writeElsewhere('of another');
    stamp.announce(null); // whoever takes over from another
    await registry.addOrg('taken back');
    await tell();
    await follower.catchUpTold();
    expect(slugs()).toEqual(['first', 'of another', 'taken back']);
  });

  it('does not take what is told for all where another process wrote while it looked', async () => {
    const { follower, slugs, stamp, tell, writeElsewhere, whileLooking } = await setUp();
    await registry.addOrg('second');
    await tell();
    whileLooking(async () => {
      await writeElsewhere('of another');
      stamp.announce(null);
      await registry.addOrg('taken back');
      await tell();
    });
    await follower.catchUp();
    await follower.catchUpTold();
    expect(slugs()).toEqual(['first', 'of another', 'second', 'taken back']);
  });

  it('misses nothing that is written and told while it asks', async () => {
    const { follower, slugs, stamp, tell, writeElsewhere, whileAsked } = await setUp();
    stamp.announce(null);
    await registry.addOrg('second');
    await tell();
    whileAsked(async () => {
      await writeElsewhere('of another');
      stamp.announce(null);
      await registry.addOrg('third');
      await tell();
    });
    await follower.catchUp();
    await addSource('one');
    await tell();
    await follower.catchUpTold();
    expect(slugs()).toEqual(['first', 'of another', 'second', 'third']);
  });

  it('keeps what the store has shown when it is told of an older write behind it', async () => {
    const { follower, slugs, stamp, tell, whileAsking } = await setUp();
    stamp.announce(null);
    await registry.addOrg('second');
    await tell();
    whileAsking(async () => {
      await registry.org('first', { slug: 'older' });
      await tell();
      await registry.org('first', { slug: 'newer' });
    });
    await follower.catchUp();
    expect(slugs()).toEqual(['newer', 'second']);
    await follower.catchUpTold();
    expect(slugs()).toEqual(['newer', 'second']);
    await registry.addOrg('third');
    await tell();
    await follower.catchUpTold();
    expect(slugs()).toEqual(['newer', 'second', 'third']);
  });

  it('asks nothing when it is told of what a look has found before', async () => {
    const { follower, slugs, tell, questions } = await setUp();
    await registry.addOrg('second');
    await follower.catchUp();
    await tell();
    questions.length = 0;
    await follower.catchUpTold();
    expect([slugs(), questions]).toEqual([['first', 'second'], []]);
    await registry.addOrg('third');
    await tell();
    await follower.catchUpTold();
    expect(slugs()).toEqual(['first', 'second', 'third']);
  });

  it('asks while its own writes are told of a generation that is not live yet', async () => {
    const { follower, slugs, stamp } = await setUp();
    stamp.announce([{ name, generation: generation + 1, position: 1, changes: [] }]);
    await registry.addOrg('second');
    await follower.catchUpTold();
    expect(slugs()).toEqual(['first', 'second']);
  });

  it('misses nothing of what it was told before the store failed', async () => {
    const { follower, slugs, stamp, tell, whileAsking } = await setUp();
    stamp.announce(null);
    await registry.addOrg('second');
    await tell();
    whileAsking(async () => Promise.reject(new Error('the store is away')));
    await expect(follower.catchUpTold()).rejects.toThrow('the store is away');
    await registry.addOrg('third');
    await tell();
    await follower.catchUpTold();
    expect(slugs()).toEqual(['first', 'second', 'third']);
  });

  it('does not know what a write has done that was not answered', async () => {
    const { follower, slugs, stamp, tell, writeElsewhere } = await setUp();
    await writeElsewhere('unanswered');
    stamp.announce([{ name, generation, position: null, changes: [] }]);
    await registry.addOrg('second');
    await tell();
    await follower.catchUpTold();
    expect(slugs()).toEqual(['first', 'second', 'unanswered']);
  });

  it('is not told by a thread that has ended', async () => {
    const { follower, slugs, stamp, tell, documents } = await setUp();
    await registry.addOrg('second');
    await tell();
    const { data } = documents.handOver();
    const next = createProjectedStamp(stamp.memory, createTellDocuments(data));
    await registry.addOrg('third');
    await tell(next);
    await follower.catchUpTold();
    expect(slugs()).toEqual(['first', 'second', 'third']);
  });
});
