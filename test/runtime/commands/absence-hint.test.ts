import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eraseRelease } from '../../../commands/release/erase-release.ts';
import { ingestReleases } from '../../../commands/release/ingest-releases.ts';
import { suppressReleases } from '../../../commands/release/suppress-releases.ts';
import { changeSource } from '../../../commands/source/change-source.ts';
import { systemClock } from '../../../src/adapters/system/clock.ts';
import { systemRandom } from '../../../src/adapters/system/random.ts';
import type { EventStore } from '../../../src/ports/event-store.ts';
import type { AbsenceHint } from '../../../src/runtime/commands/absence-hint.ts';
import { createBatchRunner } from '../../../src/runtime/commands/batch-runner.ts';
import { createBusyClock } from '../../spec/busy-clock.ts';
import { openInThreadEventStore } from '../../spec/in-thread-event-store.ts';
import { createKeptLog } from '../../spec/kept-log.ts';
import { createTempFolder, type TempFolder } from '../../spec/temp-folder.ts';
import { createTestRunners, requestOf } from '../../spec/worlds/embedded-registry.ts';
import { createTestSource } from '../../spec/worlds/source-world.ts';

const webBaseUrl = 'https://registry.example';
let folder: TempFolder;
let store: EventStore;
let sourceId: string;
let log: ReturnType<typeof createKeptLog>;
let read: string[];

beforeEach(async () => {
  folder = createTempFolder();
  const opened = openInThreadEventStore(folder.path);
  read = [];
  store = {
    ...opened,
    readMany: (streams, options) => {
      read.push(...streams.filter((stream) => stream.startsWith('release-')));
      return opened.readMany(streams, options);
    },
  };
  log = createKeptLog();
  sourceId = await createTestSource(createTestRunners(store, systemClock).commands, 'Acme', 1);
});

afterEach(async () => {
  await store.close();
  folder.remove();
});

const hideSource = (isHidden: boolean, request: number) =>
  createTestRunners(store, systemClock).commands.run(
    changeSource,
    { sourceId, changes: { isHidden } },
    requestOf(request),
  );
const itemOf = (version: string, title = 'A release') => ({ title, version });
const hintOf = (knownStreams: AbsenceHint['knownStreams']): AbsenceHint => ({ log, knownStreams });
const knowsNone = hintOf(async () => new Set());
const knowsAll = hintOf(async (streams) => new Set(streams));

const ingest = async (items: readonly object[], request: number, hint: AbsenceHint | undefined, into = store) => {
  read = [];
  const runner = createBatchRunner({ store: into, clock: systemClock, random: systemRandom, hint });
  const { results } = await runner.run(ingestReleases, { sourceId, items, webBaseUrl }, requestOf(request));
  return results.map(({ id, result }) => ({ stream: `release-${id}`, result }));
};
const resultsOf = (results: readonly { readonly result: string }[]) => results.map(({ result }) => result);

describe('a hint which streams are absent', () => {
  it('saves reading them', async () => {
    const known = await ingest([itemOf('1'), itemOf('2')], 10, undefined);
    const right = hintOf(async () => new Set(known.map(({ stream }) => stream)));
    const results = await ingest([itemOf('1'), itemOf('2', 'Changed'), itemOf('3'), itemOf('4')], 11, right);
    expect(resultsOf(results)).toEqual(['unchanged', 'revised', 'inserted', 'inserted']);
    expect(read).toEqual(known.map(({ stream }) => stream));
  });

  it.each([
    { name: 'knows nothing', hint: knowsNone },
    { name: 'knows what is not there', hint: knowsAll },
  ])('changes no answer when it $name', async ({ hint }) => {
    await ingest([itemOf('1'), itemOf('2')], 10, undefined);
    const head = await store.head();
    const results = await ingest([itemOf('1'), itemOf('2', 'Changed'), itemOf('3')], 11, hint);
    expect(resultsOf(results)).toEqual(['unchanged', 'revised', 'inserted']);
    const { events } = await store.readAll({ afterPosition: head, limit: 10 });
    expect(events.map(({ type }) => type).sort()).toEqual([
      'ReleaseAnnounced.v1',
      'ReleaseIndexed.v1',
      'ReleaseRevised.v1',
    ]);
  });

  it('lets a repeat answer as the first time', async () => {
    const items = [itemOf('1'), itemOf('2'), itemOf('3'), itemOf('3', 'Twice')];
    const first = await ingest(items, 10, knowsNone);
    expect(resultsOf(first)).toEqual(['inserted', 'inserted', 'inserted', 'revised']);
    await ingest([itemOf('2', 'By another')], 11, undefined);
    await hideSource(true, 12); // now it would not be announced
    const head = await store.head();
    expect(await ingest(items, 10, knowsNone)).toEqual(first);
    expect(await store.head()).toBe(head);
  });

  it('lets a repeat that would announce more answer as the first time, too', async () => {
    await hideSource(true, 9);
    const first = await ingest([itemOf('1')], 10, knowsNone);
    await hideSource(false, 11);
    const head = await store.head();
    expect(await ingest([itemOf('1')], 10, knowsNone)).toEqual(first);
    expect(await store.head()).toBe(head);
  });

  it('never keeps a repeat from storing what the first run had not stored yet', async () => {
    const items = ['a', 'b', 'c', 'd', 'e'].map((letter) => ({
      ...itemOf('1'),
      content: letter.repeat(200 * 1024), // four of them fill an append
      contentTokens: 1,
    }));
    let appends = 0;
    const dying: EventStore = {
      ...store,
      appendMany: async (many) => {
        if ((appends += 1) > 1) throw new Error('killed');
        return store.appendMany(many);
      },
    };
    await expect(ingest(items, 10, knowsNone, dying)).rejects.toThrow('killed');
    await hideSource(true, 11); // so the repeat decides on one event less
    const results = await ingest(items, 10, knowsNone);
    expect(resultsOf(results)).toEqual(['inserted', 'revised', 'revised', 'revised', 'revised']);
    const { events } = await store.read(results[0]!.stream);
    expect(events.at(-1)!.data).toMatchObject({ revision: 5, given: { content: items[4]!.content } });
  });

  it('stores no text for a release that was erased', async () => {
    const [{ stream } = { stream: '' }] = await ingest([itemOf('1')], 10, undefined);
    const { commands } = createTestRunners(store, systemClock);
    await commands.run(eraseRelease, { releaseId: stream.slice('release-'.length) }, requestOf(11));
    const head = await store.head();
    const large = { ...itemOf('1'), content: 'x'.repeat(600_000), contentTokens: 1 };
    const results = await ingest([itemOf('2'), large], 12, knowsNone);
    expect(resultsOf(results)).toEqual(['inserted', 'withdrawn']);
    const { events } = await store.readAll({ afterPosition: head, limit: 10 });
    expect(events.map(({ type }) => type)).toEqual(['ReleaseIndexed.v1', 'ReleaseAnnounced.v1']);
  });

  it('is not believed where nothing would be stored: that something is not there is read', async () => {
    const [{ stream } = { stream: '' }] = await ingest([itemOf('1')], 10, undefined);
    const runner = createBatchRunner({ store, clock: systemClock, random: systemRandom, hint: knowsNone });
    const releaseIds = [stream.slice('release-'.length), `rel_${'a'.repeat(21)}`];
    const { results } = await runner.run(suppressReleases, { releaseIds }, requestOf(11));
    expect(results.map(({ suppressed }) => suppressed)).toEqual([true, false]);
  });

  it('may fail, and is told to have failed', async () => {
    const failing = hintOf(() => Promise.reject(new Error('away')));
    expect(resultsOf(await ingest([itemOf('1')], 10, failing))).toEqual(['inserted']);
    expect(read).toHaveLength(1);
    expect(log.lines).toHaveLength(1);
  });
});

it('others have a turn between the streams of a batch of which nothing is read', async () => {
  const turnsOf = async (count: number, request: number): Promise<number> => {
    const clock = createBusyClock();
    const items = Array.from({ length: count }, (_, number) => itemOf(`${count}.${number}.0`));
    const runner = createBatchRunner({ store, clock, random: systemRandom, hint: knowsNone });
    read = [];
    await runner.run(ingestReleases, { sourceId, items, webBaseUrl }, requestOf(request));
    expect(read).toEqual([]);
    return clock.turns();
  };
  expect((await turnsOf(40, 3)) - (await turnsOf(10, 4))).toBeGreaterThanOrEqual(30);
});
