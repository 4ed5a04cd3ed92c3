import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { changeRelease } from '../../../commands/release/change-release.ts';
import { ingestReleases } from '../../../commands/release/ingest-releases.ts';
import { changeSource } from '../../../commands/source/change-source.ts';
import { systemClock } from '../../../src/adapters/system/clock.ts';
import type { ReleaseEvent } from '../../../src/domain/release/events.ts';
import { release } from '../../../src/domain/release/state.ts';
import { foldEvents } from '../../../src/kernel/model.ts';
import { appendBytesMax, type EventStore, type StreamAppend } from '../../../src/ports/event-store.ts';
import { createTestRunners, openTestEventStore, requestOf } from '../../spec/worlds/embedded-registry.ts';
import { gatedEventStore } from '../../spec/gated-event-store.ts';
import { createTestSource } from '../../spec/worlds/source-world.ts';
import { createTempFolder } from '../../spec/temp-folder.ts';

const webBaseUrl = 'https://registry.example';
const folder = createTempFolder();
let store: EventStore;
let other: EventStore;
let sourceId: string;
let lastRequest = 0;
const nextRequest = () => (lastRequest += 10);

beforeAll(async () => {
  store = await openTestEventStore(folder.path);
  other = await openTestEventStore(folder.path);
});

afterAll(async () => {
  await store.close();
  await other.close();
  folder.remove();
});

beforeEach(async () => {
  const { commands } = createTestRunners(store, systemClock);
  const first = nextRequest();
  sourceId = await createTestSource(commands, `Org ${first}`, first);
});

interface Item {
  readonly title: string;
  readonly version: string;
  readonly content?: string;
  readonly contentTokens?: number;
}

const itemsOf = (count: number, title = 'Release'): Item[] =>
  Array.from({ length: count }, (_, index) => ({ title: `${title} ${index}`, version: `1.${index}.0` }));

const ingest = (into: EventStore, items: readonly Item[], request: number) =>
  createTestRunners(into, systemClock).batches.run(ingestReleases, { sourceId, items, webBaseUrl }, requestOf(request));

const streamsOf = async (ids: readonly string[]) => store.readMany(ids.map((id) => `release-${id}`));
const typesIn = async (id: string) => (await store.read(`release-${id}`)).events.map(({ type }) => type);
const stateOf = async (id: string) => {
  const state = foldEvents(release, (await store.read(`release-${id}`)).events);
  if (state.status !== 'indexed') throw new Error(`the release is ${state.status}`);
  return state;
};

/** Stores what the test says of each call, then dies as a process would. */
const dyingAt = (
  from: EventStore,
  call: number,
  part: (appends: readonly StreamAppend[]) => readonly StreamAppend[],
) => {
  let calls = 0;
  return {
    ...from,
    appendMany: async (appends: readonly StreamAppend[]) => {
      calls += 1;
      if (calls < call) return from.appendMany(appends);
      const stored = part(appends);
      if (stored.length > 0) await from.appendMany(stored);
      throw new Error('killed');
    },
  };
};

/** A store that shows what was appended at once. */
const watched = (from: EventStore) => {
  const calls: (readonly StreamAppend[])[] = [];
  const appendMany = (appends: readonly StreamAppend[]) => {
    calls.push(appends);
    return from.appendMany(appends);
  };
  return { store: { ...from, appendMany }, calls };
};

describe('batch runner', () => {
  it('stores 500 new releases in one call and answers in the order of the items', async () => {
    const { results, position } = await ingest(store, itemsOf(500), nextRequest());
    expect(results.map(({ result }) => result)).toEqual(Array(500).fill('inserted'));
    expect(new Set(results.map(({ id }) => id)).size).toBe(500);
    expect(position).toBe(await store.head());
    const slices = await streamsOf(results.map(({ id }) => id));
    for (const [index, { events }] of slices.entries()) {
      expect(events.map(({ type }) => type)).toEqual(['ReleaseIndexed.v1', 'ReleaseAnnounced.v1']);
      expect(events[0]!.data).toMatchObject({ given: { title: `Release ${index}` } });
    }
  });

  it('answers a repeat with the same results and stores nothing new', async () => {
    const request = nextRequest();
    const items = [...itemsOf(20), ...itemsOf(5), { ...itemsOf(1)[0]!, title: 'Changed' }];
    const first = await ingest(store, items, request);
    expect(new Set(first.results.map(({ result }) => result))).toEqual(new Set(['inserted', 'unchanged', 'revised']));
    const head = await store.head();
    expect(await ingest(store, items, request)).toEqual(first);
    expect(await store.head()).toBe(head);
  });

  it('answers a repeat as the first time also after others have changed the releases', async () => {
    const request = nextRequest();
    const items = [...itemsOf(2), ...itemsOf(2)];
    const first = await ingest(store, items, request);
    const { commands } = createTestRunners(store, systemClock);
    const input = { releaseId: first.results[0]!.id, changes: { title: 'By hand' }, webBaseUrl };
    await commands.run(changeRelease, input, requestOf(nextRequest()));
    const head = await store.head();
    expect((await ingest(store, items, request)).results).toEqual(first.results);
    expect(await store.head()).toBe(head);
    expect((await stateOf(first.results[0]!.id)).given.title).toBe('By hand');
  });

  it('never announces on a repeat what was not to be announced when it was stored', async () => {
    const { commands } = createTestRunners(store, systemClock);
    const hide = (isHidden: boolean) =>
      commands.run(changeSource, { sourceId, changes: { isHidden } }, requestOf(nextRequest()));
    await hide(true);
    const request = nextRequest();
    const first = await ingest(store, itemsOf(3), request);
    await hide(false);
    expect((await ingest(store, itemsOf(3), request)).results).toEqual(first.results);
    for (const { id } of first.results) expect(await typesIn(id)).toEqual(['ReleaseIndexed.v1']);
  });

  it.each([
    { name: 'none', share: 0 },
    { name: 'a part', share: 0.4 },
    { name: 'all', share: 1 },
  ])('reports its own releases as inserted after a crash that had stored $name of them', async ({ share }) => {
    const request = nextRequest();
    const items = itemsOf(50);
    const dying = dyingAt(store, 1, (appends) => appends.slice(0, appends.length * share));
    await expect(ingest(dying, items, request)).rejects.toThrow('killed');
    const { results } = await ingest(store, items, request);
    expect(results.map(({ result }) => result)).toEqual(Array(50).fill('inserted'));
    for (const { id } of results) expect(await typesIn(id)).toEqual(['ReleaseIndexed.v1', 'ReleaseAnnounced.v1']);
  });

  it('decides again what another batch stored first, and each release is indexed and announced once', async () => {
    let letGo = () => {};
    const isFree = new Promise<void>((resolve) => (letGo = resolve));
    const held = gatedEventStore(other, async (call, moment) => {
      if (call === 'appendMany' && moment === 'before') await isFree;
    });
    const slow = ingest(held, itemsOf(40), nextRequest());
    const fast = await ingest(store, itemsOf(25, 'Faster'), nextRequest());
    letGo();
    const { results } = await slow;
    expect(fast.results.map(({ result }) => result)).toEqual(Array(25).fill('inserted'));
    expect(results.map(({ result }) => result)).toEqual([...Array(25).fill('revised'), ...Array(15).fill('inserted')]);
    for (const [index, { id }] of results.entries()) {
      const revised = index < 25 ? ['ReleaseRevised.v1'] : [];
      expect(await typesIn(id)).toEqual(['ReleaseIndexed.v1', 'ReleaseAnnounced.v1', ...revised]);
    }
  });

  it('lets two processes send the same releases at once', async () => {
    const [mine, theirs] = await Promise.all([
      ingest(store, itemsOf(200), nextRequest()),
      ingest(other, itemsOf(200).reverse(), nextRequest()),
    ]);
    const theirsInOrder = [...theirs.results].reverse();
    for (const [index, { id, result }] of mine.results.entries()) {
      expect(theirsInOrder[index]!.id).toBe(id);
      expect([result, theirsInOrder[index]!.result].sort()).toEqual(['inserted', 'unchanged']);
      expect(await typesIn(id)).toEqual(['ReleaseIndexed.v1', 'ReleaseAnnounced.v1']);
    }
  });

  it('folds items of one identity into one append', async () => {
    const { store: shown, calls } = watched(store);
    const item = itemsOf(1)[0]!;
    const { results } = await ingest(shown, [item, { ...item, title: 'Second' }, item], nextRequest());
    expect(results.map(({ result }) => result)).toEqual(['inserted', 'revised', 'revised']);
    expect(calls.map((appends) => appends.map(({ events }) => events.length))).toEqual([[4]]);
    expect((await stateOf(results[0]!.id)).given.title).toBe(item.title);
  });

  it('writes nothing when an item is not valid, and says which', async () => {
    const items = itemsOf(5).map((item, index) => (index === 3 ? { ...item, title: '' } : item));
    const head = await store.head();
    await expect(ingest(store, items, nextRequest())).rejects.toMatchObject({
      code: 'validation_failed',
      details: { issues: [expect.objectContaining({ path: 'items[3].title' })] },
    });
    expect(await store.head()).toBe(head);
  });
});

describe('large texts in a batch', () => {
  const large = (letter: string, kib: number): Pick<Item, 'content' | 'contentTokens'> => ({
    content: letter.repeat(kib * 1024),
    contentTokens: 1,
  });
  const revisions = (): Item[] =>
    ['a', 'b', 'c', 'd', 'e', 'f'].map((letter) => ({ ...itemsOf(1)[0]!, ...large(letter, 200) }));
  const expected = ['inserted', ...Array<string>(5).fill('revised')];

  it('splits revisions of one release that are too much for one append', async () => {
    const { store: shown, calls } = watched(store);
    const { results } = await ingest(shown, revisions(), nextRequest());
    expect(results.map(({ result }) => result)).toEqual(expected);
    expect(calls.length).toBeGreaterThan(1);
    for (const [append] of calls) expect(JSON.stringify(append!.events).length).toBeLessThan(appendBytesMax);
    expect(await stateOf(results[0]!.id)).toMatchObject({ revision: 6, given: { content: large('f', 200).content } });
  });

  it('goes on with the rest after a crash between two appends of one release', async () => {
    const request = nextRequest();
    await expect(
      ingest(
        dyingAt(store, 2, () => []),
        revisions(),
        request,
      ),
    ).rejects.toThrow('killed');
    const { results } = await ingest(store, revisions(), request);
    expect(results.map(({ result }) => result)).toEqual(expected);
    const { events } = await store.read(`release-${results[0]!.id}`);
    expect(events.map(({ type }) => type)).toEqual([
      'ReleaseIndexed.v1',
      'ReleaseAnnounced.v1',
      ...Array<string>(5).fill('ReleaseRevised.v1'),
    ]);
    expect((await stateOf(results[0]!.id)).given.content).toBe(large('f', 200).content);
  });

  it('builds the rest on what others stored in between', async () => {
    const request = nextRequest();
    const dying = dyingAt(store, 2, () => []);
    await expect(ingest(dying, revisions(), request)).rejects.toThrow('killed');
    const [{ id } = { id: '' }] = (await ingest(store, [itemsOf(1)[0]!], nextRequest())).results;
    const { commands } = createTestRunners(store, systemClock);
    const input = { releaseId: id, changes: { summary: 'By hand' }, webBaseUrl };
    await commands.run(changeRelease, input, requestOf(nextRequest()));
    const { results } = await ingest(store, revisions(), request);
    expect(results.map(({ result }) => result)).toEqual(expected);
    const events = (await store.read(`release-${id}`)).events as unknown as readonly (ReleaseEvent & {
      metadata: { recordedAt: string };
    })[];
    const revised = events.flatMap((event) => (event.type === 'ReleaseRevised.v1' ? [event.data.revision] : []));
    expect(revised).toEqual([2, 3, 4, 5, 6, 7]);
    expect((await stateOf(id)).given).toMatchObject({ summary: 'By hand', content: large('f', 200).content });
    const times = events.map(({ metadata }) => metadata.recordedAt);
    expect(times).toEqual([...times].sort());
  });

  it('hands long texts over some at a time, so that others have their turn between', async () => {
    const { store: shown, calls } = watched(store);
    const items = itemsOf(60).map((item) => ({ ...item, ...large('x', 40) }));
    const { results, position } = await ingest(shown, items, nextRequest());
    expect(results.map(({ result }) => result)).toEqual(Array(60).fill('inserted'));
    expect(position).toBe(await store.head());
    expect(calls.flat().map(({ stream }) => stream)).toEqual(results.map(({ id }) => `release-${id}`));
    for (const appends of calls) expect(JSON.stringify(appends).length).toBeLessThan(1_500_000);
  });

  it('writes a body before the event that names it', async () => {
    const items = [{ ...itemsOf(1)[0]!, ...large('x', 600) }];
    const request = nextRequest();
    const before = await store.head();
    await expect(
      ingest(
        dyingAt(store, 1, () => []),
        items,
        request,
      ),
    ).rejects.toThrow('killed');
    const { events } = await store.readAll({ afterPosition: before, limit: 100 });
    expect(events.map(({ type }) => type)).toEqual(['TextBegun.v1', ...Array<string>(3).fill('BodyPartStored.v1')]);

    const { results } = await ingest(store, items, request);
    const stored = await store.readAll({ afterPosition: before, limit: 100 });
    expect(stored.events.map(({ type }) => type)).toEqual([
      'TextBegun.v1',
      ...Array<string>(3).fill('BodyPartStored.v1'),
      'ReleaseIndexed.v1',
      'ReleaseAnnounced.v1',
    ]);
    expect((await stateOf(results[0]!.id)).given.content).toMatchObject({ chars: 600 * 1024, parts: 3 });
  });
});
