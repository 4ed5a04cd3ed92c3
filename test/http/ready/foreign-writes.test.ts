import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { allProjections } from '../../../projections/all-projections.ts';
import { releaseFeedProjection } from '../../../projections/release-feed/release-feed.ts';
import { everythingTag, orgTag, sourceTag } from '../../../projections/tags-of-write.ts';
import { tokensProjection } from '../../../projections/tokens/tokens.ts';
import { createEmbeddedReadModels } from '../../../src/adapters/embedded/read-models/read-models.ts';
import { createForeignWrites, type ForeignWrites } from '../../../src/http/ready/foreign-writes.ts';
import type { EventStore } from '../../../src/ports/event-store.ts';
import type { ReadModelSet, ReadModels } from '../../../src/ports/read-models.ts';
import { createLiveReadModels } from '../../../src/runtime/projector/live-read-models.ts';
import tokenIssued from '../../fixtures/events/TokenIssued.v1.json' with { type: 'json' };
import { newEvent } from '../../spec/events/events.ts';
import { eventually } from '../../spec/eventually.ts';
import { erased, indexed } from '../../spec/events/release-events.ts';
import { createFakeClock, type FakeClock } from '../../spec/fake-clock.ts';
import { openInThreadEventStore } from '../../spec/in-thread-event-store.ts';
import { createSeeded } from '../../spec/seeded.ts';
import type { TempFolder } from '../../spec/temp-folder.ts';
import {
  copyOfFolder,
  createEmptyDataFolder,
  type FollowedRegistry,
  followRegistry,
} from '../../spec/worlds/followed-registry.ts';

let empty: TempFolder;
let folder: TempFolder;
let clock: FakeClock;
let store: EventStore;
/** Another process. */
let projector: FollowedRegistry;
let readModels: ReadModels;
let models: ReadModelSet | null;
let own: number;
let told: ReadonlySet<string>[];
let foreign: ForeignWrites;
let releases: number;

beforeAll(async () => {
  empty = await createEmptyDataFolder();
});
afterAll(() => empty.remove());

beforeEach(async () => {
  folder = copyOfFolder(empty);
  clock = createFakeClock();
  store = openInThreadEventStore(folder.path);
  projector = await followRegistry(folder.path, store, clock);
  readModels = await createEmbeddedReadModels({ folder: folder.path, clock });
  models = await createLiveReadModels(readModels, allProjections, clock).current();
  own = 0;
  told = [];
  releases = 0;
  foreign = createForeignWrites({
    live: { current: async () => models },
    projections: allProjections,
    ownPosition: () => own,
    onForeignWrite: (tags) => void told.push(tags),
    clock,
  });
});
afterEach(async () => {
  await readModels.close();
  await projector.close();
  await store.close();
  folder.remove();
});

async function append(stream: string, event: { readonly type: string; readonly data: object }, at = 0) {
  const events = [newEvent(event.type, event.data)];
  const appended = await store.append({ stream, expectedVersion: at, events });
  if (appended.outcome !== 'appended') throw new Error(`${stream} is not where the test left it`);
  return appended.position;
}

/** Answers the position up to which it is projected. */
async function write(...input: Parameters<typeof append>): Promise<number> {
  const position = await append(...input);
  await projector.follow(createSeeded(1));
  return position;
}

const release = (sourceId: string, orgId: string | null = null): Promise<number> =>
  write(`release-rel_${(releases += 1)}`, indexed(sourceId, {}, { orgId }));

async function releaseMany(count: number): Promise<void> {
  for (let number = 1; number < count; number += 1) await append(`release-rel_${(releases += 1)}`, indexed('src_one'));
  await release('src_one');
}

const all = new Set([everythingTag]);

/** What the next look tells; null when it tells nothing. */
async function nextTold(): Promise<ReadonlySet<string> | null> {
  const before = told.length;
  await foreign.look();
  expect(told.length - before).toBeLessThan(2);
  return told[before] ?? null;
}

describe('what others write', () => {
  it('is known for less than a second after a look', async () => {
    const nowMs = clock.nowMs();
    expect(foreign.isKnown(nowMs)).toBe(false);
    await foreign.look();
    clock.advance(300);
    expect(foreign.isKnown(nowMs + 300)).toBe(true);
    expect(foreign.isKnown(nowMs + 899)).toBe(true);
    expect(foreign.isKnown(nowMs + 900)).toBe(false);
    expect(foreign.isKnown(nowMs - 1)).toBe(false);
    await foreign.look(); // the one that was begun
  });

  it('is told from what this process writes', async () => {
    await foreign.look();
    own = await release('src_one');
    expect(await nextTold()).toBeNull();
    await release('src_one');
    expect(await nextTold()).not.toBeNull();
    expect(await nextTold()).toBeNull();
  });

  it('may be other generations, or none', async () => {
    await foreign.look();
    expect(await nextTold()).toBeNull();
    models = { ...models! };
    expect(await nextTold()).toEqual(all);
    models = null;
    expect(await nextTold()).toEqual(all);
  });

  it('is told by the sources and orgs whose documents have changed, and no others', async () => {
    await release('src_one', 'org_one');
    expect(await nextTold()).toEqual(all); // nothing was known before
    await release('src_two', 'org_two');
    const tags = await nextTold();
    expect(tags).toEqual(new Set([...tags!].filter((tag) => tag.length === 1 || /_two$/.test(tag))));
    for (const tag of ['f', sourceTag('f', 'src_two'), orgTag('f', 'org_two'), sourceTag('i', 'src_two')]) {
      expect(tags).toContain(tag);
    }
    expect(tags).not.toContain(everythingTag);
    expect(tags).not.toContain('p'); // no date lies ahead
  });

  it('is anything where documents are gone, or too many have changed', async () => {
    await release('src_one');
    await foreign.look();
    await write('release-rel_1', erased('src_one'), 1);
    expect(await nextTold()).toContain(everythingTag);
    await releaseMany(50);
    expect(await nextTold()).not.toContain(everythingTag);
    await releaseMany(51);
    expect(await nextTold()).toContain(everythingTag);
  });

  it('is nothing where no public answer is made of it', async () => {
    await foreign.look();
    const position = await write(tokenIssued.stream, tokenIssued);
    expect(foreign.isOwn([tokensProjection], position)).toBe(true);
    expect(await nextTold()).toBeNull();
  });

  it('is told by a later look where one has failed', async () => {
    await foreign.look();
    await release('src_one');
    const whole = models!;
    const away = async () => Promise.reject(new Error('away'));
    models = { of: (projection) => ({ ...whole.of(projection), changedAfter: away }) };
    await expect(foreign.look()).resolves.toBeUndefined(); // other read models: nothing is asked of them
    await release('src_two');
    await expect(foreign.look()).rejects.toThrow('away');
    expect(foreign.isOwn([releaseFeedProjection], await store.head())).toBe(false);
    expect(await foreign.findOut([releaseFeedProjection], await store.head())).toBe(false);
    models = whole;
    expect(await nextTold()).toEqual(all);
  });

  it('is no reason to forget anything once a look has found it', async () => {
    const reads = [releaseFeedProjection];
    expect(foreign.isOwn(reads, 1)).toBe(false);
    const first = await release('src_one');
    await foreign.look();
    expect([foreign.isOwn(reads, first), foreign.isOwn(reads, first + 1)]).toEqual([true, false]);
    own = await release('src_one');
    expect(foreign.isOwn(reads, own)).toBe(true);
  });

  it('is found out up to a position that was passed, also while an earlier look runs', async () => {
    const reads = [releaseFeedProjection];
    const whole = models!;
    let goOn = Promise.resolve();
    let heldBack = 0;
    const slow = (checkpoint: () => Promise<number>) => async () => {
      const found = await checkpoint();
      heldBack += 1;
      await goOn;
      return found;
    };
    models = {
      of: (projection) => {
        const model = whole.of(projection);
        return { ...model, checkpoint: slow(model.checkpoint) };
      },
    };
    await foreign.look();
    const before = heldBack;
    let end = (): void => undefined;
    goOn = new Promise((resolve) => {
      end = resolve;
    });
    const earlier = foreign.look();
    await eventually('it has read all checkpoints', () => heldBack === 2 * before);
    const position = await release('src_one');
    const isFound = foreign.findOut(reads, position);
    end();
    expect(await isFound).toBe(true);
    await earlier;
    expect(told.at(-1)).toContain(sourceTag('f', 'src_one'));
    expect(await foreign.findOut(reads, position + 1)).toBe(false);
  });
});
