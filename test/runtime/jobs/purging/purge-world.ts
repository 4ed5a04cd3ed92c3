import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ingestReleases } from '../../../../commands/release/ingest-releases.ts';
import { createEmbeddedOperationalStore } from '../../../../src/adapters/embedded/operational-store/operational-store.ts';
import type { RecordedEvent } from '../../../../src/kernel/event.ts';
import { type Erasure, eraseTexts } from '../../../../src/runtime/jobs/erase-texts.ts';
import { createFakeClock } from '../../../spec/fake-clock.ts';
import { gatedEventStore } from '../../../spec/gated-event-store.ts';
import { openInThreadEventStore } from '../../../spec/in-thread-event-store.ts';
import { createKeptLog } from '../../../spec/kept-log.ts';
import { createSeeded } from '../../../spec/seeded.ts';
import { createTestRunners, requestOf } from '../../../spec/worlds/embedded-registry.ts';
import { copyOfFolder, createEmptyDataFolder, followRegistry } from '../../../spec/worlds/followed-registry.ts';
import { buildSmallWorld, webBaseUrl } from '../../../spec/worlds/small-world.ts';
import { createTestPurging } from '../../../spec/worlds/test-purging.ts';

/** A registry in a folder, its read models fed by hand, and the purger over them. */
export async function openPurgeWorld() {
  const empty = await createEmptyDataFolder();
  const folder = copyOfFolder(empty);
  empty.remove();
  const clock = createFakeClock();
  const opened = openInThreadEventStore(folder.path);
  let waitFirst: (() => Promise<void>) | null = null;
  const gated = gatedEventStore(opened, async (call, moment) => {
    if (moment === 'before' && call.startsWith('append')) await waitFirst?.();
  });
  const onFatal = (error: Error) => {
    throw error;
  };
  const ops = await createEmbeddedOperationalStore({ folder: folder.path, clock, onFatal });
  const followed = await followRegistry(folder.path, opened, clock);
  const runners = createTestRunners(gated, clock);
  const random = createSeeded(1);
  const log = createKeptLog();
  let erasedTo = 0;
  let requests = 0;

  const follow = async () => {
    await followed.follow(random);
    await followed.live.catalogue.refresh();
  };
  // As the eraser does, by hand: this store has no subscriptions. It comes no further than to the last erasure.
  const erased = async (position: number) => {
    if (position <= erasedTo) return;
    const types = ['ReleaseErased.v1'];
    const { events } = await opened.readAll({ afterPosition: erasedTo, limit: 10_000, types });
    await eraseTexts(opened, events as readonly RecordedEvent[] as readonly Erasure[]);
    erasedTo = events.at(-1)?.position ?? erasedTo;
    if (position > erasedTo) throw new Error('the eraser has nothing to erase so far');
  };
  const { models } = followed.live;
  const purging = await createTestPurging({ store: opened, ops, clock, log, runners, models, follow, erased });
  const nextRequest = () => requestOf((requests += 1));

  const filesIn = (path: string): string[] =>
    readdirSync(path, { withFileTypes: true }).flatMap((entry) =>
      entry.isDirectory() ? filesIn(join(path, entry.name)) : [join(path, entry.name)],
    );

  return {
    ...purging,
    store: opened,
    /** Awaited by whoever appends by a command. */
    beforeAppend: (wait: (() => Promise<void>) | null) => {
      waitFirst = wait;
    },
    ops,
    clock,
    log,
    runners,
    followed,
    follow,
    nextRequest,
    small: async (name: string) => {
      requests += 10;
      const world = await buildSmallWorld(runners, name, requests - 9);
      await follow();
      return world;
    },
    ingest: async (sourceId: string, count: number, text: string) => {
      const items = Array.from({ length: count }, (_, index) => ({
        title: `${text.slice(0, 100)} ${index}`,
        version: `9.${requests}.${index}`,
        content: text,
        contentTokens: 1,
      }));
      const { results } = await runners.batches.run(ingestReleases, { sourceId, items, webBaseUrl }, nextRequest());
      await follow();
      return results.map(({ id }) => id);
    },
    typesIn: async (stream: string) => (await opened.read(stream)).events.map(({ type }) => type),
    filesHolding: (text: string) => filesIn(folder.path).filter((file) => readFileSync(file).includes(text)),
    close: async () => {
      await followed.close();
      await ops.close();
      await opened.close();
      folder.remove();
    },
  };
}

export type PurgeWorld = Awaited<ReturnType<typeof openPurgeWorld>>;
