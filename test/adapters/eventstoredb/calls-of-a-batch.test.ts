import { beforeEach, describe, expect, it } from 'vitest';
import { ingestReleases } from '../../../commands/release/ingest-releases.ts';
import { createEmbeddedOperationalStore } from '../../../src/adapters/embedded/operational-store/operational-store.ts';
import { systemClock } from '../../../src/adapters/system/clock.ts';
import { systemRandom } from '../../../src/adapters/system/random.ts';
import { upcasters } from '../../../src/domain/upcasters.ts';
import { createEventCodec } from '../../../src/kernel/event-codec.ts';
import type { EventStore } from '../../../src/ports/event-store.ts';
import { createSnapshots } from '../../../src/records/snapshots.ts';
import { createBatchRunner } from '../../../src/runtime/commands/batch-runner.ts';
import { createKeptLog } from '../../spec/kept-log.ts';
import { createTempFolder } from '../../spec/temp-folder.ts';
import { createTestRunners, requestOf } from '../../spec/worlds/embedded-registry.ts';
import { createTestSource } from '../../spec/worlds/source-world.ts';
import { useStandin } from './use-standin.ts';

const { standin, open } = useStandin();
let store: EventStore;

beforeEach(async () => {
  store = await open({ codec: createEventCodec(upcasters) });
});

const callsOf = async (work: () => Promise<unknown>) => {
  const before = await standin().stats();
  await work();
  const { readsSeen, appendsSeen } = await standin().stats();
  return { reads: readsSeen - before.readsSeen, appends: appendsSeen - before.appendsSeen };
};

describe('calls to EventStoreDB', () => {
  it('are one for a stream that is not there', async () => {
    expect(await callsOf(() => store.read('org-a'))).toEqual({ reads: 1, appends: 0 });
    expect(await callsOf(() => store.read('org-a', { direction: 'backwards', limit: 64 }))).toEqual({
      reads: 1,
      appends: 0,
    });
  });

  it('are an append for each new release and a read for each known one, beside the source and its org', async () => {
    const folder = createTempFolder();
    const onFatal = (error: Error) => {
      throw error;
    };
    const ops = await createEmbeddedOperationalStore({ folder: folder.path, clock: systemClock, onFatal });
    try {
      const log = createKeptLog();
      const snapshots = createSnapshots({ ops, clock: systemClock, log });
      const known = new Set<string>();
      const hint = { log, knownStreams: async () => known };
      const batches = createBatchRunner({ store, clock: systemClock, random: systemRandom, snapshots, hint });
      const sourceId = await createTestSource(createTestRunners(store, systemClock).commands, 'Acme', 1);
      const items = Array.from({ length: 20 }, (_, index) => ({ title: 'A release', version: `1.${index}.0` }));
      const ingest = async (request: number) => {
        const input = { sourceId, items, webBaseUrl: 'https://registry.example' };
        const { results } = await batches.run(ingestReleases, input, requestOf(request));
        for (const { id } of results) known.add(`release-${id}`);
      };
      expect(await callsOf(() => ingest(10))).toEqual({ reads: 2, appends: 20 });
      expect(await callsOf(() => ingest(11))).toEqual({ reads: 22, appends: 0 });
    } finally {
      await ops.close();
      folder.remove();
    }
  });
});
