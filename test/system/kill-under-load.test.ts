import { afterAll, describe, expect, it } from 'vitest';
import { allProjections } from '../../projections/all-projections.ts';
import { systemClock } from '../../src/adapters/system/clock.ts';
import { openStores } from '../../src/compose.ts';
import { rebuildProjection } from '../../src/runtime/rebuild.ts';
import { eventually } from '../spec/eventually.ts';
import { freePort, type ServedProcess, serveProcess } from '../spec/killed/served-process.ts';
import { createWriter, type Writer } from '../spec/killed/writer.ts';
import { documentsOf } from '../spec/read-model-documents.ts';
import { createSeeded } from '../spec/seeded.ts';
import { createTempFolder } from '../spec/temp-folder.ts';

const kills = Number(process.env['KILLS'] ?? 20);
const writerCount = 6;
const seed = Number(process.env['SEED'] ?? 1);
const folder = createTempFolder();

afterAll(() => folder.remove());

/** What anybody sees of an org and its releases, against what its writer was promised. */
async function checkPromises(url: string, writer: Writer): Promise<void> {
  for (const org of writer.promised) {
    const response = await fetch(`${url}/v1/orgs/${org.orgId}`);
    expect(response.status, `org ${org.orgId}`).toBe(org.deleted ? 404 : 200);
    if (org.deleted) continue;
    const detail = (await response.json()) as { name: string; releaseCount: number };
    const kept = org.releases.filter((release) => !release.erased);
    expect({ name: detail.name, releaseCount: detail.releaseCount }).toEqual({
      name: org.name,
      releaseCount: kept.length,
    });
    for (const release of org.releases) {
      const answer = await fetch(`${url}/v1/releases/${release.id}`);
      expect(answer.status, `release ${release.id}`).toBe(release.erased ? 404 : 200);
      if (!release.erased) expect(((await answer.json()) as { title: string }).title).toBe(release.title);
    }
  }
}

async function checkRepeats(url: string, key: string, writer: Writer): Promise<void> {
  for (const { sent, status, body } of writer.acknowledged) {
    const response = await fetch(`${url}${sent.path}`, {
      method: sent.method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'idempotency-key': sent.key! },
      body: JSON.stringify(sent.body),
    });
    expect(response.headers.get('idempotency-replayed')).toBe('true');
    expect({ status: response.status, body: await response.text() }).toEqual({ status, body });
  }
}

describe('a service that is killed again and again under load', () => {
  it(
    `loses no acknowledged write in ${kills} kills, and every read model equals its rebuild`,
    async () => {
      const random = createSeeded(seed);
      const port = await freePort();
      let service: ServedProcess = await serveProcess(folder.path, port);
      const { url } = service;
      let stopped = false;
      const waitForService = () =>
        eventually(
          'the service is back',
          async () => {
            try {
              return (await fetch(`${url}/health/ready`)).status === 200;
            } catch {
              return false; // still dead
            }
          },
          { withinMs: 60_000 },
        );
      const writers = Array.from({ length: writerCount }, (_, index) =>
        createWriter(`writer${index}`, createSeeded(seed * 1_000 + index), () => url, waitForService),
      );
      const working = writers.map(async (writer) => {
        while (!stopped) await writer.step();
      });
      const failed = Promise.all(working);
      failed.catch(() => undefined); // awaited at the end

      for (let kill = 0; kill < kills; kill += 1) {
        const before = writers.reduce((sum, writer) => sum + writer.acknowledged.length, 0);
        const more = random.int(1, 12);
        await Promise.race([
          failed,
          eventually(
            'some more writes are acknowledged',
            () => {
              const now = writers.reduce((sum, writer) => sum + writer.acknowledged.length, 0);
              return now >= before + more;
            },
            { withinMs: 60_000, everyMs: 1 },
          ),
        ]);
        await service.kill('SIGKILL');
        service = await serveProcess(folder.path, port);
      }
      stopped = true;
      await failed;

      for (const writer of writers) await checkPromises(url, writer);
      for (const writer of writers) await checkRepeats(url, 'root-key-of-the-kill-test', writer);
      expect(await service.kill('SIGTERM')).toBe(0);

      const stores = await openStores({
        dataDir: folder.path,
        onFatal: (error) => {
          throw error;
        },
      });
      const { eventStore: store, readModels } = stores;
      for (const projection of allProjections) {
        const live = (await readModels.pointers())[projection.name]!;
        const before = await documentsOf(await readModels.open({ ...projection, generation: live }));
        const generation = await rebuildProjection(projection, {
          store,
          readModels,
          clock: systemClock,
          holder: 'test',
        });
        const after = await documentsOf(await readModels.open({ ...projection, generation }));
        // Positions of documents that an erased release once changed are not in the log any more: compare the texts.
        const texts = (rows: readonly string[]) => rows.map((row) => row.replace(/ @\d+ /, ' '));
        expect(texts(after), projection.name).toEqual(texts(before));
      }
      await stores.close();
    },
    30_000 * kills,
  );
});
