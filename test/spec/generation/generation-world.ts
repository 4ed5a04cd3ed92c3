import { createOrg } from '../../../commands/org/create-org.ts';
import { ingestReleases } from '../../../commands/release/ingest-releases.ts';
import { createSource } from '../../../commands/source/create-source.ts';
import { createEmbeddedOperationalStore } from '../../../src/adapters/embedded/operational-store/operational-store.ts';
import { systemIds } from '../../../src/adapters/system/ids.ts';
import { systemClock } from '../../../src/adapters/system/clock.ts';
import type { OverviewWritten } from '../../../src/domain/overview/events.ts';
import type { SummaryWritten } from '../../../src/domain/summary/events.ts';
import type { ContentProvider } from '../../../src/generation/content-provider.ts';
import type { Cause } from '../../../src/kernel/event.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import { createSnapshots } from '../../../src/records/snapshots.ts';
import { type GeneratorDeps, startGenerator } from '../../../src/runtime/jobs/generation/generator.ts';
import { eventually } from '../eventually.ts';
import { createKeptLog } from '../kept-log.ts';
import { createSeeded } from '../seeded.ts';
import type { TempFolder } from '../temp-folder.ts';
import { createTestRunners, openTestEventStore } from '../worlds/embedded-registry.ts';
import { copyOfFolder, followRegistry } from '../worlds/followed-registry.ts';

const dayMs = 86_400_000;
const webBaseUrl = 'https://registry.example';

interface TestItem {
  readonly title: string;
  readonly content?: string;
  readonly version?: string;
  readonly publishedAt?: string;
  readonly prerelease?: boolean;
  readonly titleShort?: string;
}

/** Stores, read models that are fed as they are asked for, and generators over them, on a clock that a test sets. */
export async function openGenerationWorld(empty: TempFolder) {
  const folder = copyOfFolder(empty);
  let nowMs = Date.UTC(2030, 0, 15);
  // Who sleeps is woken soon: what is waited for is a condition, and the time is the test's.
  const clock: Clock = { nowMs: () => nowMs, sleep: (ms, signal) => systemClock.sleep(Math.min(ms, 2), signal) };
  const store = await openTestEventStore(folder.path);
  const onFatal = (error: Error) => {
    throw error;
  };
  const ops = await createEmbeddedOperationalStore({ folder: folder.path, clock: systemClock, onFatal });
  const { commands, batches } = createTestRunners(store, clock);
  const followed = await followRegistry(folder.path, store, systemClock);
  const random = createSeeded(1);
  const log = createKeptLog();
  const snapshots = createSnapshots({ ops, clock, log });
  const requestOf = (cause: Cause, actor = 'root') => {
    const commandId = systemIds.commandId();
    return { commandId, actor, cause, correlationId: commandId };
  };
  let feeding = Promise.resolve();
  const modelsAt = async () => {
    feeding = feeding.then(() => followed.follow(random));
    await feeding;
    return followed.live.models;
  };

  const start = (provider: ContentProvider, changed: Partial<GeneratorDeps> = {}) =>
    startGenerator({
      store,
      ops,
      commands,
      snapshots,
      clock,
      log,
      holder: 'test',
      provider,
      modelsAt,
      webBaseUrl,
      enrichmentsPerMinute: 10,
      request: (cause) => requestOf(cause, 'system:generator'),
      ...changed,
    });

  /** Works until everything that was stored is noted and nothing is due any more. */
  async function settle(provider: ContentProvider, changed: Partial<GeneratorDeps> = {}): Promise<void> {
    const head = await store.head();
    const generator = start(provider, changed);
    let quietLooks = 0;
    const { collection } = ops;
    const rows = await collection<{ id: string; queue: string; dueMs: number }>({
      name: 'generation-due',
      indexes: { byDue: ['queue', 'dueMs'] },
    });
    const isQuiet = async () => {
      const isNoted = generator.position() >= head;
      const due = await rows.query({ index: 'byDue', equals: { queue: 'texts' }, to: nowMs, limit: 1 });
      const releases = await rows.query({ index: 'byDue', equals: { queue: 'releases' }, to: nowMs, limit: 1 });
      quietLooks = isNoted && due.length + releases.length === 0 ? quietLooks + 1 : 0;
      return quietLooks >= 2;
    };
    await eventually('nothing is due', isQuiet, { withinMs: 30_000, everyMs: 5 });
    await generator.close();
  }

  const lastOf = async (stream: string) => (await store.read(stream, { direction: 'backwards', limit: 1 })).events[0];

  return {
    store,
    commands,
    clock,
    log,
    requestOf,
    start,
    settle,
    advanceDays: (days: number) => {
      nowMs += days * dayMs;
    },
    createOrg: async (name: string, fields: object = {}) =>
      (await commands.run(createOrg, { name, ...fields }, requestOf('edit'))).id,
    createSource: async (orgId: string, name = 'Changelog', fields: object = {}) => {
      const input = { orgId, name, url: `https://example.com/${name.toLowerCase()}`, ...fields };
      return (await commands.run(createSource, input, requestOf('edit'))).id;
    },
    ingest: async (sourceId: string, items: readonly TestItem[]) => {
      const counted = items.map((item) => ({ ...item, ...(item.content && { contentTokens: 5 }) }));
      const input = { sourceId, items: counted, webBaseUrl };
      const { results } = await batches.run(ingestReleases, input, requestOf('ingest'));
      return results.map(({ id }) => id);
    },
    overview: async (orgId: string) => {
      const last = await lastOf(`overview-${orgId}`);
      return last?.type === 'OverviewWritten.v1'
        ? { ...(last.data as OverviewWritten['data']), metadata: last.metadata }
        : null;
    },
    summaries: async (sourceId: string) => {
      const found: (SummaryWritten['data'] & { readonly cause: Cause })[] = [];
      const { events } = await store.readAll({ afterPosition: 0, limit: 1_000, types: ['SummaryWritten.v1'] });
      for (const stream of new Set(events.map(({ stream: { name } }) => name))) {
        const last = await lastOf(stream);
        const data = last?.data as SummaryWritten['data'];
        if (last?.type === 'SummaryWritten.v1' && data.sourceId === sourceId)
          found.push({ ...data, cause: last.metadata.cause });
      }
      return found;
    },
    close: async () => {
      await followed.close();
      await ops.close();
      await store.close();
      folder.remove();
    },
  };
}

export type GenerationWorld = Awaited<ReturnType<typeof openGenerationWorld>>;
