import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Standin, startStandin } from '../standin/eventstoredb/standin-process.ts';
import { eventually } from '../spec/eventually.ts';
import { checkPromises, checkRepeats } from '../spec/killed/check-promises.ts';
import { checkRebuilds } from '../spec/killed/check-rebuilds.ts';
import {
  freePort,
  isReady,
  rootApiKey,
  type ServedProcess,
  serveProcess,
  unreachableServers,
} from '../spec/killed/served-process.ts';
import { acknowledgedCount, createWriter } from '../spec/killed/writer.ts';
import { hasNativeMongo, type NativeMongo, startNativeMongo } from '../spec/servers/native-mongodb.ts';
import { createSeeded } from '../spec/seeded.ts';
import { createTempFolder } from '../spec/temp-folder.ts';

const writerCount = 4;
const patience = { withinMs: 60_000, everyMs: 50 };
/** A writer waits through the whole trouble, however long a server takes to come back; the service is judged after it. */
const writersPatience = { ...patience, withinMs: 280_000 };

interface Trouble {
  readonly what: string;
  readonly backend: 'EventStoreDB' | 'MongoDB';
  readonly begin: () => Promise<void> | void;
  readonly end: () => Promise<void> | void;
}

describe.skipIf(!hasNativeMongo())('servers that go away under load (EventStoreDB stand-in, MongoDB)', () => {
  const folder = createTempFolder();
  const closers: (() => Promise<unknown>)[] = [];
  let standin: Standin;
  let mongo: NativeMongo;
  let service: ServedProcess;

  beforeAll(async () => {
    mongo = await startNativeMongo();
    closers.unshift(mongo.wipe);
    standin = await startStandin({ dataFile: join(folder.path, 'events.journal') });
    closers.unshift(standin.close);
    service = await serveProcess(folder.path, await freePort(), {
      EVENT_STORE_URL: standin.url,
      MONGODB_URL: mongo.url,
      SECRET_KEY: '07'.repeat(32),
      LOG_LEVEL: 'fatal',
    });
    closers.unshift(() => service.kill('SIGKILL'));
  });

  afterAll(async () => {
    for (const close of closers) await close();
    folder.remove();
  });

  const troubles: Trouble[] = [
    { what: 'is stopped', backend: 'MongoDB', begin: () => mongo.stop(), end: () => mongo.start() },
    { what: 'is killed', backend: 'EventStoreDB', begin: () => standin.kill(), end: () => standin.restart() },
    { what: 'is killed', backend: 'MongoDB', begin: () => mongo.kill(), end: () => mongo.start() },
    { what: 'is frozen', backend: 'EventStoreDB', begin: () => standin.freeze(), end: () => standin.thaw() },
    { what: 'is frozen', backend: 'MongoDB', begin: () => mongo.freeze(), end: () => mongo.thaw() },
  ];

  /** A request of somebody who does not wait for ever. */
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(`${service.url}${path}`, { ...init, signal: AbortSignal.timeout(30_000) });

  const write = (path: string, body: object) =>
    ask(path, {
      method: 'POST',
      headers: { authorization: `Bearer ${rootApiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });

  it('says so, goes on with what it can, loses nothing, and resumes by itself', { timeout: 300_000 }, async () => {
    const { url } = service;
    const waitForService = () => eventually('the service is ready again', () => isReady(url), patience);
    const writers = Array.from({ length: writerCount }, (_, index) =>
      createWriter(
        `writer${index}`,
        createSeeded(index + 1),
        () => url,
        () => eventually('the service is ready for a writer', () => isReady(url), writersPatience),
      ),
    );
    let stopped = false;
    const working = Promise.all(
      writers.map(async (writer) => {
        while (!stopped) await writer.step();
      }),
    );
    working.catch(() => undefined); // awaited at the end
    const moreWrites = async (more: number) => {
      const before = acknowledgedCount(writers);
      const written = eventually('more is written', () => acknowledgedCount(writers) >= before + more, patience);
      await Promise.race([working, written]);
    };

    const org = (await (await write('/v1/orgs', { name: 'Of many' })).json()) as { id: string };
    const address = 'https://many.example/changelog';
    const source = await write('/v1/sources', { name: 'Many', url: address, orgId: org.id });
    const { id: sourceId } = (await source.json()) as { id: string };
    const versionsOf = (about: string) =>
      Array.from({ length: 300 }, (_, index) => ({ title: `${about} ${index}`, version: `${index}.0.0` }));

    for (const { what, backend, begin, end } of troubles) {
      const about = `${backend} ${what}`;
      await moreWrites(10);
      await begin();
      await eventually(about, async () => (await unreachableServers(service.url)).join() === backend, patience);
      const manyAtOnce = [
        ...Array.from({ length: 40 }, (_, index) => write('/v1/orgs', { name: `${index} while ${about}` })),
        write(`/v1/sources/${sourceId}/releases/batch`, { releases: versionsOf(about) }),
      ];
      for (const refused of await Promise.all(manyAtOnce)) {
        expect(refused.status, about).toBe(503);
        expect(await refused.json(), about).toMatchObject({ error: { code: 'service_unavailable' } });
      }
      expect((await ask('/health/live')).status, about).toBe(200);
      expect((await ask('/v1/openapi.json')).status, about).toBe(200);
      if (backend === 'EventStoreDB') {
        expect((await ask('/v1/releases/latest')).status, `reads while ${about}`).toBe(200);
      }
      await end();
      await waitForService();
    }
    await moreWrites(10);
    stopped = true;
    await working;

    // A batch may be answered before it can be read; its position tells what to wait for.
    const last = (await write('/v1/orgs', { name: 'The last' })).headers.get('x-service-position')!;
    const seeLast = () => ask('/v1/orgs', { headers: { 'x-service-min-position': last } });
    await eventually('all that was written can be read', async () => (await seeLast()).status === 200, patience);
    for (const writer of writers) await checkPromises(url, writer);
    for (const writer of writers) await checkRepeats(url, writer);
    expect(await service.kill('SIGTERM')).toBe(0);
    await checkRebuilds({ dataDir: folder.path, eventStoreUrl: standin.url, mongodbUrl: mongo.url });
  });
});
