import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ReceivedRequest, startWebhookReceiver, type WebhookReceiver } from '../spec/webhook-receiver.ts';
import { eventually } from '../spec/eventually.ts';
import {
  freePort,
  isReady,
  rootApiKey,
  type ServedProcess,
  serveProcess,
  unreachableServers,
} from '../spec/killed/served-process.ts';
import { hasNativeKafka, type NativeKafka, startNativeKafka } from '../spec/servers/native-kafka.ts';
import { createTempFolder } from '../spec/temp-folder.ts';

/** Of the receivers, one for each subscription. */
const paths = ['/1', '/2', '/3', '/4', '/5'];
const writerCount = 2;
const patience = { withinMs: 90_000, everyMs: 50 };

describe.skipIf(!hasNativeKafka())('a broker that goes away under load', () => {
  const closers: (() => Promise<unknown> | void)[] = [];
  const received: ReceivedRequest[] = [];
  let kafka: NativeKafka;
  let service: ServedProcess;
  let receiver: WebhookReceiver;
  let sourceId: string;
  let versions = 0;

  const write = (path: string, body: object) =>
    fetch(`${service.url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${rootApiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(30_000), // as a client that does not wait for ever
    });
  const create = async (path: string, body: object): Promise<string> => {
    const response = await write(path, body);
    const text = await response.text();
    expect(response.status, text).toBe(201);
    return (JSON.parse(text) as { id: string }).id;
  };
  const isSaid = () =>
    eventually(
      'Kafka alone is said to be away',
      async () => (await unreachableServers(service.url)).join() === 'Kafka',
      patience,
    );

  beforeAll(async () => {
    const folder = createTempFolder();
    closers.unshift(folder.remove);
    kafka = await startNativeKafka();
    closers.unshift(kafka.wipe);
    receiver = await startWebhookReceiver(undefined, received);
    closers.unshift(receiver.close);
    service = await serveProcess(folder.path, await freePort(), {
      KAFKA_BROKERS: kafka.brokers,
      WEBHOOK_ALLOW_PRIVATE_TARGETS: 'on',
      WEBHOOK_RETRY_DELAYS: '1s,5s',
      LOG_LEVEL: 'fatal',
    });
    closers.unshift(() => service.kill('SIGKILL'));
    const orgId = await create('/v1/orgs', { name: 'Announced' });
    sourceId = await create('/v1/sources', { name: 'Announced', url: 'https://announced.example/changes', orgId });
    for (const path of paths) await create('/v1/webhooks', { url: receiver.url(path), orgId });
  });

  afterAll(async () => {
    for (const close of closers) await close();
  });

  /** Writers that stop at the first write that is refused. */
  const startWriters = () => {
    const released: string[] = [];
    let isStopped = false;
    const writing = Promise.all(
      Array.from({ length: writerCount }, async () => {
        while (!isStopped) {
          versions += 1;
          const release = { title: `Release ${versions}`, version: `${versions}.0.0`, content: '- added a thing' };
          released.push(await create(`/v1/sources/${sourceId}/releases`, release));
        }
      }),
    );
    writing.catch(() => undefined); // awaited at the end
    const more = async (count: number): Promise<void> => {
      const wanted = released.length + count;
      const written = eventually('more is written', () => released.length >= wanted, patience);
      await Promise.race([writing, written]);
    };
    const stop = async (): Promise<void> => {
      isStopped = true;
      await writing;
    };
    return { released, more, stop };
  };

  const arrived = new Set<string>();
  /** How many deliveries of these releases have not arrived yet. */
  const missingOf = (released: readonly string[]): number => {
    for (const { path, body } of received.splice(0)) arrived.add(`${path} ${JSON.parse(body).release.id}`);
    return paths.flatMap((path) => released.filter((id) => !arrived.has(`${path} ${id}`))).length;
  };

  const troubles: [what: string, begin: () => Promise<void>, end: () => Promise<void>][] = [
    ['is killed', () => kafka.kill(), () => kafka.start()],
    ['is frozen', () => kafka.freeze(), () => kafka.thaw()],
  ];

  it.each(troubles)(
    'says so when it %s, serves on, and delivers all of it later',
    async (_, begin, end) => {
      const { url } = service;
      const { released, more, stop } = startWriters();
      await more(20);
      const isFlowing = () => missingOf(released) < paths.length * released.length;
      await eventually('deliveries flow', isFlowing, patience);

      await begin();
      await isSaid();
      const before = released.length;
      await more(20);
      expect((await fetch(`${url}/health/live`)).status).toBe(200);
      expect((await fetch(`${url}/v1/releases/latest`)).status).toBe(200);
      for (const id of released.slice(before)) expect((await fetch(`${url}/v1/releases/${id}`)).status).toBe(200);
      expect(missingOf(released)).toBeGreaterThan(0);

      await end();
      await eventually('it is ready again', () => isReady(url), patience);
      await more(20);
      await stop();
      await eventually('everything has arrived', () => missingOf(released) === 0, patience);
    },
    240_000,
  );

  it('lets the service stop while it is away', async () => {
    await kafka.kill();
    await isSaid();
    await create('/v1/orgs', { name: 'Last' });
    expect(await service.kill('SIGTERM')).toBe(0);
  });
});
