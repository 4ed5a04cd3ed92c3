import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { abandonChangelogText } from '../../../commands/changelog/abandon-changelog-text.ts';
import { ingestReleases } from '../../../commands/release/ingest-releases.ts';
import { changeSource } from '../../../commands/source/change-source.ts';
import { writeSummary } from '../../../commands/summary/write-summary.ts';
import { createEmbeddedOperationalStore } from '../../../src/adapters/embedded/operational-store/operational-store.ts';
import { systemClock } from '../../../src/adapters/system/clock.ts';
import type { ChangelogState } from '../../../src/domain/changelog/state.ts';
import { changelog, namesText } from '../../../src/domain/changelog/state.ts';
import { foldEvents } from '../../../src/kernel/model.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import type { EventStore } from '../../../src/ports/event-store.ts';
import type { OperationalStore } from '../../../src/ports/operational-store.ts';
import { startTextSweeper, sweepAfterMs } from '../../../src/runtime/jobs/text-sweeper.ts';
import type { LeasedFollower } from '../../../src/runtime/resilience/follow-with-lease.ts';
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
let sweepers: LeasedFollower[];
let sourceId: string;
let aheadMs: number;
let lastRequest = 100;
const nextRequest = () => requestOf((lastRequest += 1));

/** The sweeper's: a test lets time pass by it. */
const clock: Clock = { ...hurriedClock(), nowMs: () => systemClock.nowMs() + aheadMs };

beforeEach(async () => {
  folder = createTempFolder();
  store = await openTestEventStore(folder.path);
  const onFatal = (error: Error) => {
    throw error;
  };
  ops = await createEmbeddedOperationalStore({ folder: folder.path, clock: systemClock, onFatal });
  sweepers = [];
  aheadMs = 0;
  const { commands } = createTestRunners(store, systemClock);
  sourceId = await createTestSource(commands, 'Acme', 1);
  await commands.run(changeSource, { sourceId, changes: { type: 'github' } }, nextRequest());
});

afterEach(async () => {
  for (const sweeper of sweepers) await sweeper.close();
  await ops.close();
  await store.close();
  folder.remove();
});

const start = (): LeasedFollower => {
  const { commands } = createTestRunners(store, systemClock);
  const abandonText = async (id: string, key: string) => {
    const { state } = await commands.run(abandonChangelogText, { sourceId: id, key }, nextRequest());
    return !namesText(state, key);
  };
  const sweeper = startTextSweeper({ store, ops, clock, log: createKeptLog(), holder: 'a', abandonText });
  sweepers.push(sweeper);
  return sweeper;
};

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
const expectOnlyNamedTexts = () =>
  eventually('only texts that a file names are left', async () => {
    const [stored, named] = [await storedKeys(), await namedKeys()];
    return stored.length === named.length && stored.every((key) => named.includes(key));
  });

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
    const texts = ['# One\n', '# Two\n', '# One\n'];
    for (const text of texts) await write(text);
    await write('# Kept\n', 'docs/NEWS.md');
    const sweeper = start();
    const head = await store.head();
    expect(await storedKeys()).toHaveLength(4);
    aheadMs = sweepAfterMs - 60_000;
    await eventually('it has begun', () => sweeper.position() >= 0);
    expect(await storedKeys()).toHaveLength(4);
    aheadMs = sweepAfterMs + 60_000;
    await eventually('all is swept', () => sweeper.position() >= head);
    await expectOnlyNamedTexts();
    expect(await storedKeys()).toHaveLength(2);
    const { events } = await store.readAll({ afterPosition: 0, limit: 1_000, types: ['BodyErased.v1'] });
    expect(events).toHaveLength(2);
    for (const { stream } of events) expect(await typesIn(stream.name)).toEqual(['BodyErased.v1']);
    expect(await typesIn(`texts-${sourceId}`)).toEqual(['TextBegun.v1']);
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
    aheadMs = sweepAfterMs + 60_000;
    start();
    await expectOnlyNamedTexts();
    expect(await storedKeys()).toEqual([]);
    aheadMs = 0;
    await write(long);
    expect(await storedKeys()).toHaveLength(1);
  });

  it('does not take the text of a writer that was stopped for long just before it named it', async () => {
    let hasSwept = false;
    const stopped: Gate = async (call, moment) => {
      const isBegun = (await storedKeys()).length > 0;
      if (call !== 'append' || moment !== 'before' || !isBegun || hasSwept) return;
      hasSwept = true;
      aheadMs = sweepAfterMs + 60_000;
      start();
      await eventually('its text is erased', async () => (await storedKeys()).length === 0);
      aheadMs = 0;
    };
    await write('# Slow\n', 'CHANGELOG.md', gatedEventStore(store, stopped));
    expect(hasSwept).toBe(true);
    const [file] = (await stateNow()).files;
    const { events } = await store.read(`body-${sourceId}-${file!.text.key}`);
    expect(events.map(({ type }) => type)).not.toContain('BodyErased.v1');
    expect((events[0]?.data as { text: string }).text).toBe('# Slow\n');
  });

  it('leaves a text alone that a file names', async () => {
    await write('# Named\n');
    aheadMs = sweepAfterMs + 60_000;
    const sweeper = start();
    const head = await store.head();
    await eventually('all is swept', () => sweeper.position() >= head);
    await expectOnlyNamedTexts();
    expect((await stateNow()).abandoned).toBe(0);
  });

  it('leaves long texts of releases to the eraser', async () => {
    const items = [{ title: 'Long', version: '1.0.0', content: 'x'.repeat(600_000), contentTokens: 1 }];
    const { batches } = createTestRunners(store, systemClock);
    await batches.run(ingestReleases, { sourceId, items, webBaseUrl: 'https://r.example' }, nextRequest());
    const before = await storedKeys();
    aheadMs = sweepAfterMs + 60_000;
    const sweeper = start();
    const head = await store.head();
    await eventually('all is seen', () => sweeper.position() >= head);
    expect(await storedKeys()).toEqual(before);
  });

  it('keeps the last versions of a summary, however often it is written', async () => {
    const { commands } = createTestRunners(store, systemClock);
    let stream = '';
    for (let n = 1; n <= 33; n += 1) {
      const fields = { type: 'rolling', summary: `Version ${n}`, releaseCount: n };
      stream = `summary-${(await commands.run(writeSummary, { sourceId, fields }, nextRequest())).id}`;
    }
    aheadMs = sweepAfterMs + 60_000;
    start();
    await eventually('it is shortened', async () => (await typesIn(stream)).length <= 9);
    const { events } = await store.read(stream);
    expect(events.at(-1)?.data).toMatchObject({ summary: 'Version 33' });
    const fields = { type: 'rolling', summary: 'Version 33', releaseCount: 33 };
    const again = await commands.run(writeSummary, { sourceId, fields }, nextRequest());
    expect(again.events).toEqual([]);
  });
});
