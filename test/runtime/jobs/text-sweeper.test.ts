import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { abandonChangelogText } from '../../../commands/changelog/abandon-changelog-text.ts';
import { ingestReleases } from '../../../commands/release/ingest-releases.ts';
import { changeSource } from '../../../commands/source/change-source.ts';
import { writeSummary } from '../../../commands/summary/write-summary.ts';
import { createEmbeddedOperationalStore } from '../../../src/adapters/embedded/operational-store/operational-store.ts';
import { systemClock } from '../../../src/adapters/system/clock.ts';
import { type ChangelogState, changelog, namesText } from '../../../src/domain/changelog/state.ts';
import { foldEvents } from '../../../src/kernel/model.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import type { EventStore } from '../../../src/ports/event-store.ts';
import type { OperationalStore } from '../../../src/ports/operational-store.ts';
import { startTextSweeper, sweepAfterMs, sweepTexts } from '../../../src/runtime/jobs/text-sweeper.ts';
import { storeChangelog } from '../../../src/use-cases/store-changelog.ts';
import { eventually } from '../../spec/eventually.ts';
import { type Gate, gatedEventStore } from '../../spec/gated-event-store.ts';
import { hurriedClock } from '../../spec/hurried-clock.ts';
import { createKeptLog } from '../../spec/kept-log.ts';
import { createTempFolder, type TempFolder } from '../../spec/temp-folder.ts';
import { createTestRunners, openTestEventStore, requestOf } from '../../spec/worlds/embedded-registry.ts';
import { createTestSource } from '../../spec/worlds/source-world.ts';

let folder: TempFolder;
let store: EventStore;
let ops: OperationalStore;
let sourceId: string;
let lastRequest = 100;
const nextRequest = () => requestOf((lastRequest += 1));

beforeEach(async () => {
  folder = createTempFolder();
  store = await openTestEventStore(folder.path);
  const onFatal = (error: Error) => {
    throw error;
  };
  ops = await createEmbeddedOperationalStore({ folder: folder.path, clock: systemClock, onFatal });
  const { commands } = createTestRunners(store, systemClock);
  sourceId = await createTestSource(commands, 'Acme', 1);
  await commands.run(changeSource, { sourceId, changes: { type: 'github' } }, nextRequest());
});

afterEach(async () => {
  await ops.close();
  await store.close();
  folder.remove();
});

const depsOf = (sweeperClock: Clock) => {
  const { commands } = createTestRunners(store, systemClock);
  const abandonText = async (id: string, key: string) => {
    const { state } = await commands.run(abandonChangelogText, { sourceId: id, key }, nextRequest());
    return !namesText(state, key);
  };
  return { store, clock: sweeperClock, abandonText };
};

/** One look, as long after now as is said. */
const sweep = (laterMs = sweepAfterMs, from = 0): Promise<number> =>
  sweepTexts(depsOf({ ...systemClock, nowMs: () => systemClock.nowMs() + laterMs }), from);

const write = async (content: string, path = 'CHANGELOG.md', by: EventStore = store, request = nextRequest()) => {
  const { commands } = createTestRunners(by, systemClock);
  const tokenCounter = { countMany: async (texts: readonly string[]) => texts.map((text) => text.length) };
  return storeChangelog({ commands, tokenCounter }, { sourceId, file: { path, content } }, request);
};

const stateNow = async (): Promise<ChangelogState> =>
  foldEvents(changelog, (await store.read(`changelog-${sourceId}`)).events);

const typesIn = async (stream: string) => (await store.read(stream)).events.map(({ type }) => type);

/** Every part of every text that is stored, by the key of its text. */
const storedKeys = async (): Promise<string[]> => {
  const { events } = await store.readAll({ afterPosition: 0, limit: 1_000, types: ['BodyPartStored.v1'] });
  return [...new Set(events.map(({ stream }) => stream.id.slice(sourceId.length + 1)))];
};
const namedKeys = async () => (await stateNow()).files.map(({ text }) => text.key);

class Died extends Error {}

/** Dies before the nth append. */
const dyingAt = (nth: number): Gate => {
  let appends = 0;
  return async (call, moment) => {
    if (call !== 'append' || moment !== 'before') return;
    appends += 1;
    if (appends >= nth) throw new Died();
  };
};

describe('the sweeper of texts', () => {
  it('erases what another version has replaced, an hour later, and nothing else', async () => {
    for (const text of ['# One\n', '# Two\n', '# One\n']) await write(text);
    await write('# Kept\n', 'docs/NEWS.md');
    const early = await sweep(sweepAfterMs - 600_000);
    expect(await storedKeys()).toHaveLength(4);
    await sweep(sweepAfterMs, early);
    expect((await storedKeys()).sort()).toEqual((await namedKeys()).sort());
    expect(await storedKeys()).toHaveLength(2);
    const { events } = await store.readAll({ afterPosition: 0, limit: 1_000, types: ['BodyErased.v1'] });
    expect(events).toHaveLength(2);
    for (const { stream } of events) expect(await typesIn(stream.name)).toEqual(['BodyErased.v1']);
    expect(await typesIn(`texts-${sourceId}`)).toEqual(['TextBegun.v1']);
  });

  it('done twice does nothing the second time', async () => {
    for (const text of ['# One\n', '# Two\n']) await write(text);
    await sweep();
    const head = await store.head();
    expect(await sweep()).toBe(head);
    expect(await store.head()).toBe(head);
  });

  it.each([
    ['before its text was begun', 1, 0],
    ['when its text was begun', 2, 0],
    ['in the middle of its text', 3, 1],
    ['before the event that names its text', 4, 2],
  ])('leaves nothing of a writer that died %s', async (_, nth, parts) => {
    const long = 'x'.repeat(500_000);
    await expect(write(long, 'CHANGELOG.md', gatedEventStore(store, dyingAt(nth)))).rejects.toThrow(Died);
    const { events } = await store.readAll({ afterPosition: 0, limit: 1_000, types: ['BodyPartStored.v1'] });
    expect(events).toHaveLength(parts);
    await sweep();
    expect(await storedKeys()).toEqual([]);
    await write(long);
    await sweep();
    expect(await storedKeys()).toEqual(await namedKeys());
    expect(await namedKeys()).toHaveLength(1);
  });

  it('lets a writer that was stopped for long store its text anew', async () => {
    let isSwept = false;
    const stopped: Gate = async (call, moment) => {
      if (isSwept || call !== 'append' || moment !== 'before' || (await storedKeys()).length === 0) return;
      isSwept = true;
      await sweep();
      expect(await storedKeys()).toEqual([]);
    };
    await write('# Slow\n', 'CHANGELOG.md', gatedEventStore(store, stopped));
    expect(isSwept).toBe(true);
    const [key] = await namedKeys();
    const { events } = await store.read(`body-${sourceId}-${key}`);
    expect(events.map(({ data }) => (data as { text?: string }).text)).toEqual(['# Slow\n', '[0,0]']);
  });

  it('lets no writer name a text between giving it up and erasing it', async () => {
    let wake = () => {};
    const isWritten = new Promise<void>((resolve) => (wake = resolve));
    let writing: Promise<unknown> | undefined;
    const request = nextRequest();
    await expect(write('# Slow\n', 'CHANGELOG.md', gatedEventStore(store, dyingAt(4)), request)).rejects.toThrow(Died);
    const deps = depsOf({ ...systemClock, nowMs: () => systemClock.nowMs() + sweepAfterMs });
    // The same command goes on, with the whole text stored, right after it was given up.
    const abandonText = async (id: string, key: string) => {
      const isDead = await deps.abandonText(id, key);
      writing = write('# Slow\n', 'CHANGELOG.md', store, request).finally(wake);
      await isWritten;
      return isDead;
    };
    await sweepTexts({ ...deps, abandonText }, 0);
    await writing;
    await sweep();
    expect(await storedKeys()).toEqual(await namedKeys());
    expect(await namedKeys()).toHaveLength(1);
  });

  it('leaves long texts of releases to the eraser', async () => {
    const items = [{ title: 'Long', version: '1.0.0', content: 'x'.repeat(600_000), contentTokens: 1 }];
    const { batches } = createTestRunners(store, systemClock);
    await batches.run(ingestReleases, { sourceId, items, webBaseUrl: 'https://r.example' }, nextRequest());
    const before = await storedKeys();
    expect(await sweep()).toBe(await store.head());
    expect(await storedKeys()).toEqual(before);
  });

  it('keeps the last versions of a summary, however often it is written', async () => {
    const { commands } = createTestRunners(store, systemClock);
    const writeVersion = (n: number) => {
      const fields = { type: 'rolling', summary: `Version ${n}`, releaseCount: n };
      return commands.run(writeSummary, { sourceId, fields }, nextRequest());
    };
    let id = '';
    for (let n = 1; n <= 33; n += 1) ({ id } = await writeVersion(n));
    await sweep();
    const { events } = await store.read(`summary-${id}`);
    expect(events.map(({ version }) => version)).toEqual([25, 26, 27, 28, 29, 30, 31, 32, 33]);
    expect((await writeVersion(33)).events).toEqual([]);
    expect((await writeVersion(34)).events).toHaveLength(1);
  });
});

describe('the job that sweeps every minute', () => {
  it('goes on where it was, and hands over when it is closed', async () => {
    for (const text of ['# One\n', '# Two\n']) await write(text);
    const clock = { ...hurriedClock(), nowMs: () => systemClock.nowMs() + sweepAfterMs };
    const log = createKeptLog();
    const reads: number[] = [];
    const readAll: EventStore['readAll'] = (options) => {
      reads.push(options.afterPosition);
      return store.readAll(options);
    };
    for (const holder of ['a', 'b']) {
      const job = startTextSweeper({ ...depsOf(clock), store: { ...store, readAll }, ops, log, holder });
      const looks = reads.length;
      await eventually('it has looked twice', () => reads.length >= looks + 4);
      await job.close();
      await job.done;
    }
    expect(await storedKeys()).toEqual(await namedKeys());
    expect(reads.filter((from) => from === 0)).toHaveLength(1);
  });
});
