import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectRaw, type RawClient } from '../adapters/node-http/raw-client.ts';
import { eventually } from '../spec/eventually.ts';
import { runRegistry, type ServedRegistry } from '../spec/processes/registry-process.ts';
import {
  answerTo,
  type FurtherProcess,
  furtherOf,
  isAnswered,
  linesOf,
  list,
  listedBy,
  rootKey,
  send,
  serveWithTwo,
} from '../spec/processes/served-by-two.ts';
import { realServer } from '../spec/servers/real-servers.ts';
import { dropMongoDatabase, mongoDatabaseUrl } from '../spec/servers/test-backends.ts';
import { createTempFolder } from '../spec/temp-folder.ts';

const isAlive = (pid: number): boolean => existsSync(`/proc/${pid}`);

const postOrg = `POST /v1/orgs HTTP/1.1\r\nAuthorization: Bearer ${rootKey}\r\nContent-Type: application/json`;

/** A request that a process has in hand: its head is read, its body not sent yet. */
async function openRequest({ port }: ServedRegistry, name: string): Promise<{ client: RawClient; body: string }> {
  const body = JSON.stringify({ name });
  const client = connectRaw(port);
  const expecting = `Content-Length: ${body.length}\r\nExpect: 100-continue\r\n`;
  client.send(`${postOrg}\r\nHost: a\r\n${expecting}\r\n`);
  await eventually('the service asks for the body', () => client.received().includes('100 Continue'));
  return { client, body };
}

const metricsUrlOf = ({ stdout }: ServedRegistry): string => /(http:\S+\/metrics) /.exec(stdout())?.[1] ?? '';

const serving = async (served: ServedRegistry): Promise<string | undefined> =>
  /^registry_http_processes (\d+)$/m.exec(await (await fetch(metricsUrlOf(served))).text())?.[1];

async function expectWritesShown(served: ServedRegistry): Promise<void> {
  for (const name of ['One', 'Two', 'Three']) {
    const written = await answerTo(send(served, postOrg, JSON.stringify({ name })));
    const position = /X-Service-Position: (\d+)/i.exec(written)?.[1] ?? '';
    for (const turn of ['either', 'the other']) {
      const headers = { 'X-Service-Min-Position': position, connection: 'close' };
      const read = await fetch(`${served.url}/v1/orgs/${name.toLowerCase()}`, { headers });
      expect([turn, await read.json()]).toMatchObject([turn, { name }]);
    }
  }
}

describe('two processes behind one port', () => {
  const folder = createTempFolder();
  let served: ServedRegistry;
  let further: FurtherProcess;

  beforeAll(async () => {
    ({ served, further } = await serveWithTwo(join(folder.path, 'data')));
  });

  afterAll(async () => {
    served.child.kill('SIGKILL');
    await served.exited;
    folder.remove();
  });

  it('take connections in turn, and the first tells that there are two', async () => {
    for (let number = 0; number < 10; number += 1) await answerTo(list(served));
    expect(await Promise.all([metricsUrlOf(served), further.metricsUrl].map(listedBy))).toEqual([5, 5]);
    expect(await serving(served)).toBe('2');
  });

  it('show what either of them has written, to whoever says what he wants to see', () => expectWritesShown(served));

  it('have no secret in what others can see of a process', () => {
    expect(readFileSync(`/proc/${further.processId}/cmdline`, 'utf8')).not.toContain(rootKey);
    expect(served.stdout() + served.stderr()).not.toContain(rootKey);
    expect(served.stdout().match(/ready at/g)).toHaveLength(1);
  });

  it('lose no connection that a process which hangs has not taken, and another one takes its place', async () => {
    process.kill(further.processId, 'SIGSTOP'); // so that it takes none of those that come
    const waiting = [1, 2, 3, 4].map(() => list(served));
    await eventually('the first process has answered its own', () => waiting.filter(isAnswered).length === 2);
    await Promise.all(waiting.map(answerTo)); // it is ended when it has taken nothing for a while
    expect(isAlive(further.processId)).toBe(false);
    const isBack = async (): Promise<boolean> => {
      await answerTo(list(served)); // also while another one is being started
      return furtherOf(served).length === 2;
    };
    await eventually('another one is ready', isBack, { withinMs: 60_000 });
    const [, another] = furtherOf(served);
    expect(another!.processId).not.toBe(further.processId);
    expect(linesOf(served, 'a process that answers requests ended, and is started again')).toHaveLength(1);
    const before = await listedBy(another!.metricsUrl);
    for (const _ of ['one', 'the other']) await answerTo(list(served));
    expect(await listedBy(another!.metricsUrl)).toBe(before + 1);
    expect(await serving(served)).toBe('2');
  });

  it('finish what either has in hand when they are told to stop, and leave no process', async () => {
    const { processId: pid, metricsUrl } = furtherOf(served).at(-1)!;
    const open = [await openRequest(served, 'In the hands of one'), await openRequest(served, 'In those of the other')];
    // As a terminal does, and whoever stops all processes of a service.
    for (const each of [pid, served.child.pid!]) process.kill(each, 'SIGTERM');
    await eventually('no more connections are taken', () =>
      fetch(served.url).then(
        () => false,
        () => true,
      ),
    );
    // It is told in the same moment. Whoever only closes what he has, instead of waiting, does not answer for long.
    for (let turn = 0; turn < 20; turn += 1) expect(await listedBy(metricsUrl)).toBeGreaterThan(0);
    expect([isAlive(pid), served.hasExited()]).toEqual([true, false]);
    for (const { client, body } of open) client.send(body);
    for (const { client } of open) expect(await client.closed).toMatch(/HTTP\/1\.1 201 Created/);
    expect(await served.exited).toBe(0);
    expect(isAlive(pid)).toBe(false);
  });
});

describe('the end of the first process', () => {
  const folder = createTempFolder();
  const started: number[] = [];

  afterAll(() => {
    for (const pid of started.filter(isAlive)) process.kill(pid, 'SIGKILL');
    folder.remove();
  });

  it.each([
    ['by a second signal', 'SIGTERM', 143],
    ['by kill -9', 'SIGKILL', null],
  ] as const)('%s is that of all, whatever they have in hand', async (_, signal, code) => {
    const { served, further } = await serveWithTwo(join(folder.path, 'data'));
    started.push(served.child.pid!, further.processId);
    for (const name of ['Never', 'Neither']) await openRequest(served, name);
    const hasEnded = () => {
      served.child.kill(signal);
      return served.hasExited();
    };
    await eventually('it ends', hasEnded, { everyMs: 100 });
    expect(await served.exited).toBe(code);
    await eventually('the other is gone', () => !isAlive(further.processId));
  });
});

describe.skipIf(realServer('mongodb') === null)('two processes on one MongoDB', () => {
  const folder = createTempFolder();
  let url: string;
  let served: ServedRegistry | undefined;

  afterAll(async () => {
    served?.child.kill('SIGKILL');
    await served?.exited;
    await dropMongoDatabase(url);
    folder.remove();
  });

  it('show what either has written, to whoever says what he wants to see', async () => {
    url = mongoDatabaseUrl();
    const settings = { MONGODB_URL: url, SECRET_KEY: '07'.repeat(32) };
    ({ served } = await serveWithTwo(join(folder.path, 'data'), settings));
    await expectWritesShown(served);
  });
});

it('more than one without requests to answer stop the start with a sentence, and touch nothing', () => {
  const folder = createTempFolder();
  const data = join(folder.path, 'data');
  const settings = { HTTP_THREADS: '2', ROLES: 'projector,relay' };
  const { status, stderr } = runRegistry(['serve', '--data', data], settings);
  expect(stderr).toMatch(/^HTTP_THREADS is 2, but ROLES \(--roles\) is projector,relay: only http has /);
  expect([status, existsSync(data)]).toEqual([1, false]);
  folder.remove();
});
