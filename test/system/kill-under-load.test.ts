import { afterAll, describe, expect, it } from 'vitest';
import { eventually } from '../spec/eventually.ts';
import { checkPromises, checkRepeats } from '../spec/killed/check-promises.ts';
import { checkRebuilds } from '../spec/killed/check-rebuilds.ts';
import { endLeases } from '../spec/killed/end-leases.ts';
import { freePort, isReady, type ServedProcess, serveProcess } from '../spec/killed/served-process.ts';
import { acknowledgedCount, createWriter } from '../spec/killed/writer.ts';
import { createSeeded } from '../spec/seeded.ts';
import { seedsToRun } from '../spec/seeds.ts';
import { createTempFolder } from '../spec/temp-folder.ts';

const kills = Number(process.env['KILLS'] ?? 10);
const writerCount = 6;
const seed = seedsToRun(0).at(-1)!;
const folder = createTempFolder();

afterAll(() => folder.remove());

describe('a service that is killed again and again under load', () => {
  it(
    `loses no acknowledged write in ${kills} kills, and every read model equals its rebuild (seed ${seed})`,
    async () => {
      const random = createSeeded(seed);
      const port = await freePort();
      let service: ServedProcess = await serveProcess(folder.path, port);
      const { url } = service;
      let stopped = false;
      const waitForService = () => eventually('the service is back', () => isReady(url), { withinMs: 60_000 });
      const writers = Array.from({ length: writerCount }, (_, index) =>
        createWriter(`writer${index}`, createSeeded(seed * 1_000 + index), () => url, waitForService),
      );
      const working = writers.map(async (writer) => {
        while (!stopped) await writer.step();
      });
      const failed = Promise.all(working);
      failed.catch(() => undefined); // awaited at the end

      for (let kill = 0; kill < kills; kill += 1) {
        const before = acknowledgedCount(writers);
        const more = random.int(1, 12);
        await Promise.race([
          failed,
          eventually('some more writes are acknowledged', () => acknowledgedCount(writers) >= before + more, {
            withinMs: 60_000,
            everyMs: 1,
          }),
        ]);
        await service.kill('SIGKILL');
        endLeases(folder.path);
        service = await serveProcess(folder.path, port);
      }
      stopped = true;
      await failed;

      for (const writer of writers) await checkPromises(url, writer);
      for (const writer of writers) await checkRepeats(url, writer);
      expect(await service.kill('SIGTERM')).toBe(0);

      await checkRebuilds({ dataDir: folder.path });
    },
    30_000 * kills,
  );
});
