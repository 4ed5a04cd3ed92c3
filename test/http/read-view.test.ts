import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createOrg } from '../../commands/org/create-org.ts';
import { allProjections } from '../../projections/all-projections.ts';
import { orgProjection } from '../../projections/org/org.ts';
import { releaseFeedProjection } from '../../projections/release-feed/release-feed.ts';
import { createEmbeddedReadModels } from '../../src/adapters/embedded/read-models/read-models.ts';
import { catalogueReads } from '../../src/catalogue/catalogue.ts';
import type { ToldWrites } from '../../src/catalogue/follower.ts';
import { createKeptCatalogue } from '../../src/catalogue/kept-catalogue.ts';
import { createProjectedStamp, type ProjectedStamp, toldWrites } from '../../src/compose/threads/projected-stamp.ts';
import { createTellDocuments, createToldDocuments } from '../../src/compose/threads/told-documents.ts';
import { createReadViews, type ReadViews } from '../../src/http/read-view.ts';
import type { Document, ReadModelDeclaration } from '../../src/kernel/projection.ts';
import type { EventStore } from '../../src/ports/event-store.ts';
import type { ReadModels } from '../../src/ports/read-models.ts';
import { type Announcement, announcedWrites } from '../../src/runtime/projector/announced-writes.ts';
import { createLiveReadModels, type ProjectedHere } from '../../src/runtime/projector/live-read-models.ts';
import { eventually } from '../spec/eventually.ts';
import { createFakeClock, type FakeClock } from '../spec/fake-clock.ts';
import { createSeeded } from '../spec/seeded.ts';
import type { TempFolder } from '../spec/temp-folder.ts';
import { newEvent } from '../spec/events/events.ts';
import { indexed } from '../spec/events/release-events.ts';
import { createTestRunners, openTestEventStore, requestOf } from '../spec/worlds/embedded-registry.ts';
import { createEmptyDataFolder, type FollowedRegistry, followRegistry } from '../spec/worlds/followed-registry.ts';

let folder: TempFolder;
let clock: FakeClock;
let store: EventStore;
let projector: FollowedRegistry;
let readModels: ReadModels;
let views: ReadViews;
let stamp: number;
/** Told of each write. */
let announce: (announcement: Announcement) => void;
let questions: number;
let created: number;
let passed: () => Promise<void>;
/** Done once, behind what is read of the changes of orgs. */
let meanwhile: (() => Promise<void>) | null;

/** The same read models; every question to them is counted. */
const counted = (models: ReadModels): ReadModels => {
  const counting =
    <Args extends unknown[], Answer>(ask: (...args: Args) => Answer) =>
    (...args: Args): Answer => {
      questions += 1;
      return ask(...args);
    };
  return {
    ...models,
    pointers: counting(models.pointers),
    open: async <Doc extends Document>(declaration: ReadModelDeclaration) => {
      const model = await models.open<Doc>(declaration);
      const changedAfter: typeof model.changedAfter = async (...args) => {
        questions += 1;
        const changes = await model.changedAfter(...args);
        if (declaration.name !== orgProjection.name) return changes;
        const next = meanwhile;
        meanwhile = null;
        await next?.();
        return changes;
      };
      return { ...model, checkpoint: counting(model.checkpoint), changedAfter };
    },
  };
};

const unread = async (): Promise<never> => {
  throw new Error('no record is shown here');
};

async function createOrgNamed(name: string): Promise<number> {
  created += 1;
  const { commands } = createTestRunners(store, clock);
  return (await commands.run(createOrg, { name }, requestOf(created))).position;
}

async function addRelease(): Promise<number> {
  const { type, data } = indexed('src_one', { title: 'One' });
  const events = [newEvent(type, data, { recordedAt: new Date(clock.nowMs()).toISOString() })];
  const appended = await store.append({ stream: 'release-rel_one', expectedVersion: 0, events });
  if (appended.outcome !== 'appended') throw new Error('it was there already');
  return appended.position;
}

const shown = async (): Promise<string[]> => (await views.view()).catalogue.orgs().map(({ name }) => name);

beforeEach(async () => {
  folder = await createEmptyDataFolder();
  clock = createFakeClock();
  store = await openTestEventStore(folder.path);
  stamp = 0;
  questions = 0;
  created = 0;
  passed = async () => undefined;
  meanwhile = null;
  announce = () => {
    stamp += 1;
  };
  const announced = (models: ReadModels) => announcedWrites(models, (announcement) => announce(announcement));
  projector = await followRegistry(folder.path, store, clock, async (at) =>
    announced(await createEmbeddedReadModels(at)),
  );
  readModels = await createEmbeddedReadModels({ folder: folder.path, clock });
  views = openViews({ value: () => stamp, switches: () => 0 });
});

const openViews = (
  projected: Pick<ProjectedStamp, 'value' | 'switches'>,
  options: { readonly told?: ToldWrites; readonly projected?: ProjectedHere } = {},
): ReadViews =>
  createReadViews({
    onPassed: () => passed(),
    requireBuilt: async () => {},
    catalogues: createKeptCatalogue({ told: options.told }),
    live: createLiveReadModels(counted(readModels), allProjections, clock, {
      ...(options.projected && { projected: options.projected }),
    }),
    stamp: projected.value,
    switches: projected.switches,
    clock,
    runLater: () => undefined,
    streams: { read: unread, readMany: unread },
    fetchStates: unread,
    embeddedAt: async () => null,
    lastFetches: unread,
    newestFetches: unread,
    lastUses: unread,
    deliveryCounters: unread,
    webBaseUrl: 'https://registry.example',
  });

afterEach(async () => {
  await readModels.close();
  await projector.close();
  await store.close();
  folder.remove();
});

describe('what a request reads', () => {
  it('costs no question while nothing has changed', async () => {
    await createOrgNamed('First');
    await projector.follow(createSeeded(1));
    expect(await shown()).toEqual(['First']);
    questions = 0;
    for (let request = 0; request < 100; request += 1) await views.view();
    expect(questions).toBe(0);
    clock.advance(50);
    await views.view();
    expect(questions).toBeGreaterThan(0);
  });

  it('is what the projector of this process has written by then', async () => {
    expect(await shown()).toEqual([]);
    for (const name of ['First', 'Second']) {
      await createOrgNamed(name);
      await projector.follow(createSeeded(1));
      expect(await shown()).toContain(name);
    }
  });

  it('costs no question when the projector of this process has told what it wrote', async () => {
    const told = createToldDocuments(catalogueReads.map(({ name }) => name));
    const projected = createProjectedStamp(undefined, createTellDocuments(told.handOver().data));
    announce = projected.announce;
    announce(null); // as it does when it begins
    views = openViews(projected, { told: toldWrites(projected, told), projected });
    const write = async (name: string): Promise<void> => {
      const position = await createOrgNamed(name);
      await projector.follow(createSeeded(1));
      await views.waitFor([orgProjection], position);
    };
    await write('First');
    await write('Second');
    expect(await shown()).toEqual(['First', 'Second']);
    questions = 0;
    await write('Third');
    expect(await shown()).toEqual(['First', 'Second', 'Third']);
    expect(questions).toBe(0);

    announce = () => undefined; // what follows is done elsewhere
    await createOrgNamed('Fourth');
    await projector.follow(createSeeded(1));
    expect(await shown()).toEqual(['First', 'Second', 'Third']);
    clock.advance(400);
    expect(await shown()).toEqual(['First', 'Fourth', 'Second', 'Third']);
  });

  it('has what this process writes while it looks at what others have written', async () => {
    await shown();
    const write = async (name: string): Promise<void> => {
      await createOrgNamed(name);
      await projector.follow(createSeeded(1));
    };
    const touched = stamp;
    await write('First');
    stamp = touched; // as if it had been done elsewhere
    meanwhile = () => write('Second');
    views.forget();
    expect(await shown()).toEqual(['First', 'Second']);
  });

  it('is asked for once where somebody has found what another process wrote', async () => {
    await shown();
    const questionsOf = async (found: () => void): Promise<number> => {
      views.forget();
      found();
      questions = 0;
      await shown();
      return questions;
    };
    const ofOneLook = await questionsOf(() => {});
    expect(ofOneLook).toBeGreaterThan(0);
    const touch = (): void => {
      stamp += 1;
    };
    expect(await questionsOf(touch)).toBe(ofOneLook);
  });

  it('has what was told while another write was brought in', async () => {
    const told = createToldDocuments(catalogueReads.map(({ name }) => name));
    const projected = createProjectedStamp(undefined, createTellDocuments(told.handOver().data));
    let held: Announcement[] = [];
    announce = (announcement) => void held.push(announcement);
    const tell = (): void => {
      const all = held;
      held = [];
      for (const each of all) projected.announce(each);
    };
    let tellMeanwhile = (): void => {};
    const writes = toldWrites(projected, told);
    const changedAfter: ToldWrites['changedAfter'] = (name, ...rest) => {
      const changes = writes.changedAfter<never>(name, ...rest);
      if (name === orgProjection.name) tellMeanwhile();
      return changes;
    };
    views = openViews(projected, { told: { ...writes, changedAfter }, projected });
    const write = async (name: string): Promise<void> => {
      await createOrgNamed(name);
      await projector.follow(createSeeded(1));
    };
    await write('First');
    tell();
    expect(await shown()).toEqual(['First']);
    await write('Second');
    tell();
    await write('Third');
    tellMeanwhile = tell;
    expect(await shown()).toEqual(['First', 'Second']);
    expect(await shown()).toEqual(['First', 'Second', 'Third']);
  });

  it('is what another process has projected, a moment later, and at once for who asks for its position', async () => {
    expect(await shown()).toEqual([]);
    const position = await createOrgNamed('First');
    await projector.follow(createSeeded(1));
    stamp = 0; // as if it had been done elsewhere
    expect(await shown()).toEqual([]);
    await views.waitFor([orgProjection], position);
    expect(await shown()).toEqual(['First']);

    await createOrgNamed('Second');
    await projector.follow(createSeeded(1));
    stamp = 0;
    expect(await shown()).toEqual(['First']);
    clock.advance(50);
    await eventually('the second org is shown', async () => (await shown()).includes('Second'));

    await createOrgNamed('Third');
    await projector.follow(createSeeded(1));
    stamp = 0;
    expect(await shown()).toEqual(['First', 'Second']);
    clock.advance(400);
    expect(await shown()).toEqual(['First', 'Second', 'Third']);
  });

  it('is waited for until all who keep something know of it', async () => {
    const position = await createOrgNamed('First');
    await projector.follow(createSeeded(1));
    passed = () => Promise.reject(new Error('it is told'));
    await expect(views.waitFor([orgProjection], position)).rejects.toThrow('it is told');
  });

  describe('of releases', () => {
    const shownReleases = async () => {
      const query = { index: 'global', equals: { lane: 'stable' }, to: clock.nowMs(), limit: 10 } as const;
      return (await (await views.view()).models.of(releaseFeedProjection).query(query)).length;
    };

    it('is of no earlier position than the one that was asked for', async () => {
      expect(await shownReleases()).toBe(0);
      const position = await addRelease();
      await projector.follow(createSeeded(1));
      stamp = 0; // as if it had been done elsewhere
      expect(await shownReleases()).toBe(0);
      await views.waitFor([releaseFeedProjection], position);
      expect(await shownReleases()).toBe(1);
    });

    it('is no older than the last look at other processes, though their first rows were read a moment before it', async () => {
      clock.advance(30);
      const before = await views.view();
      clock.advance(21);
      expect(await shownReleases()).toBe(0);
      await addRelease();
      await projector.follow(createSeeded(1));
      stamp = 0;
      clock.advance(29);
      await eventually('it was looked again', async () => (await views.view()) !== before);
      expect(await shownReleases()).toBe(1);
    });
  });
});
