import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { connectRaw, type RawClient } from '../adapters/node-http/raw-client.ts';
import { eventually } from '../spec/eventually.ts';
import { launchRegistry, runRegistry, type ServedRegistry, untilServed } from '../spec/processes/registry-process.ts';
import { startSteadyRequests } from '../spec/processes/steady-requests.ts';
import { createTempFolder } from '../spec/temp-folder.ts';

const rootKey = 'a-root-key-for-this-test-only';

interface FurtherProcess {
  readonly pid: number;
  readonly metricsUrl: string;
}

interface LogLine extends Partial<FurtherProcess> {
  readonly msg: string;
}

const linesOf = ({ stderr }: ServedRegistry, msg: string): LogLine[] =>
  stderr()
    .split('\n')
    .slice(0, -1) // the last one may be on its way
    .flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as LogLine] : []))
    .filter((line) => line.msg === msg);

/** The further processes that have become ready so far, one after the other. */
const furtherOf = (served: ServedRegistry) =>
  linesOf(served, 'a further process answers requests') as (LogLine & FurtherProcess)[];

async function serveWithTwo(dataDir: string): Promise<{ served: ServedRegistry; further: FurtherProcess }> {
  const settings = { ROOT_API_KEY: rootKey, HTTP_THREADS: '2', METRICS_PORT: '0', LOG_LEVEL: 'info' };
  const served = await untilServed(launchRegistry(dataDir, ['--no-demo'], settings));
  await eventually('the second process is ready', () => furtherOf(served).length > 0, { withinMs: 60_000 });
  return { served, further: furtherOf(served)[0]! };
}

const isAlive = (pid: number): boolean => existsSync(`/proc/${pid}`);

/** On a connection of its own, so that it is the next process's turn. */
async function request({ port }: ServedRegistry, head: string, body = ''): Promise<string> {
  const client = connectRaw(port);
  const length = `Content-Length: ${Buffer.byteLength(body)}\r\n`;
  client.send(`${head} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${length}\r\n${body}`);
  return client.closed;
}

const asRoot = `Authorization: Bearer ${rootKey}\r\nContent-Type: application/json\r\n`;

/** A request that a process has in hand: its head is read, its body not sent yet. */
async function openRequest({ port }: ServedRegistry, name: string): Promise<{ client: RawClient; body: string }> {
  const body = JSON.stringify({ name });
  const client = connectRaw(port);
  const expecting = `Content-Length: ${body.length}\r\nExpect: 100-continue\r\n`;
  client.send(`POST /v1/orgs HTTP/1.1\r\nHost: a\r\n${asRoot}${expecting}\r\n`);
  await eventually('the service asks for the body', () => client.received().includes('100 Continue'));
  return { client, body };
}

const listed = /^registry_http_request_duration_seconds_count\{method="GET",route="\/v1\/orgs",status="2xx"\} (\d+)$/m;

const listedBy = async (metricsUrl: string): Promise<number> =>
  Number(listed.exec(await (await fetch(metricsUrl)).text())?.[1] ?? 0);

const metricsUrlOf = ({ stdout }: ServedRegistry): string => /(http:\S+\/metrics) /.exec(stdout())?.[1] ?? '';

const serving = async (served: ServedRegistry): Promise<string | undefined> =>
  /^registry_http_processes (\d+)$/m.exec(await (await fetch(metricsUrlOf(served))).text())?.[1];

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
    for (let number = 0; number < 10; number += 1) {
      expect(await request(served, 'GET /v1/orgs')).toMatch(/^HTTP\/1\.1 200 /);
    }
    expect(await Promise.all([metricsUrlOf(served), further.metricsUrl].map(listedBy))).toEqual([5, 5]);
    expect(await serving(served)).toBe('2');
  });

  it('show what either of them has written, to whoever says what he wants to see', async () => {
    for (const name of ['One', 'Two', 'Three']) {
      const body = JSON.stringify({ name });
      const length = Buffer.byteLength(body);
      const client = connectRaw(served.port);
      client.send(
        `POST /v1/orgs HTTP/1.1\r\nHost: a\r\n${asRoot}Connection: close\r\nContent-Length: ${length}\r\n\r\n${body}`,
      );
      const written = await client.closed;
      expect(written).toMatch(/^HTTP\/1\.1 201 /);
      const position = /X-Service-Position: (\d+)/i.exec(written)?.[1] ?? '';
      for (const turn of ['either', 'the other']) {
        const headers = { 'X-Service-Min-Position': position, connection: 'close' };
        const read = await fetch(`${served.url}/v1/orgs/${name.toLowerCase()}`, { headers });
        expect([turn, await read.json()]).toMatchObject([turn, { name }]);
      }
    }
  });

  it('have no secret in what others can see of a process', () => {
    expect(readFileSync(`/proc/${further.pid}/cmdline`, 'utf8')).not.toContain(rootKey);
    expect(served.stdout() + served.stderr()).not.toContain(rootKey);
    expect(served.stdout().match(/ready at/g)).toHaveLength(1);
  });

  it('lose no connection that a process had not taken when it was killed, and it comes back', async () => {
    const steady = startSteadyRequests(served.url, ['/v1/orgs']);
    process.kill(further.pid, 'SIGSTOP'); // so that it takes none of those that come
    const waiting = [1, 2, 3, 4].map(() => request(served, 'GET /v1/orgs'));
    await Promise.race(waiting); // the first process has answered one of them
    process.kill(further.pid, 'SIGKILL');
    for (const answer of await Promise.all(waiting)) expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    const gone = steady.seen.length + 1; // one may have been in its hands
    await steady.anotherRound();
    await eventually('another one is ready', () => furtherOf(served).length === 2, { withinMs: 60_000 });
    await steady.anotherRound();
    await steady.stop();
    expect(new Set(steady.seen.slice(gone).map(({ status }) => status))).toEqual(new Set([200]));
    const [, another] = furtherOf(served);
    expect(another!.pid).not.toBe(further.pid);
    expect(linesOf(served, 'a process that answers requests ended, and is started again')).toHaveLength(1);
    const before = await listedBy(another!.metricsUrl);
    for (const _ of ['first', 'second']) await request(served, 'GET /v1/orgs');
    expect(await listedBy(another!.metricsUrl)).toBe(before + 1);
    expect(await serving(served)).toBe('2');
  });

  it('finish what either has in hand when they are told to stop, and leave no process', async () => {
    const { pid } = furtherOf(served).at(-1)!;
    const open = [await openRequest(served, 'In the hands of one'), await openRequest(served, 'In those of the other')];
    // As a terminal does, and whoever stops all processes of a service.
    for (const each of [pid, served.child.pid!]) process.kill(each, 'SIGTERM');
    await eventually('no more connections are taken', () =>
      fetch(served.url).then(
        () => false,
        () => true,
      ),
    );
    expect([isAlive(pid), served.hasExited()]).toEqual([true, false]);
    for (const { client, body } of open) client.send(body);
    for (const { client } of open) expect(await client.closed).toMatch(/HTTP\/1\.1 201 Created/);
    expect(await served.exited).toBe(0);
    expect(isAlive(pid)).toBe(false);
  });
});

describe('the end of the first process', () => {
  const folder = createTempFolder();
  let served: ServedRegistry | undefined;

  afterEach(async () => {
    served?.child.kill('SIGKILL');
    await served?.exited;
  });
  afterAll(() => folder.remove());

  it.each([
    ['by a second signal', 'SIGTERM', 143],
    ['by kill -9', 'SIGKILL', null],
  ] as const)('%s is that of all, whatever they have in hand', async (_, signal, code) => {
    const started = await serveWithTwo(join(folder.path, 'data'));
    served = started.served;
    for (const name of ['Never', 'Neither']) await openRequest(served, name);
    const hasEnded = () => {
      served!.child.kill(signal);
      return served!.hasExited();
    };
    await eventually('it ends', hasEnded, { everyMs: 100 });
    expect(await served.exited).toBe(code);
    await eventually('the other is gone', () => !isAlive(started.further.pid));
  });
});

describe('settings that do not go together', () => {
  it.each([
    [{ ROLES: 'projector,relay' }, /^HTTP_THREADS is 2, but ROLES \(--roles\) is projector,relay: only http has /],
    [
      { METRICS_PORT: '65535' },
      /^With 2 HTTP_THREADS the metrics take the ports from METRICS_PORT on, 65535 to 65536;/,
    ],
    [{ METRICS_PORT: '4000', PORT: '4001' }, /none of them PORT \(--port\), 4001\.$/m],
  ])('%j stop the start with a sentence', (settings, sentence) => {
    const folder = createTempFolder();
    const data = join(folder.path, 'data');
    const { status, stderr } = runRegistry(['serve', '--data', data], { HTTP_THREADS: '2', ...settings });
    expect(stderr).toMatch(sentence);
    expect([status, existsSync(data)]).toEqual([1, false]);
    folder.remove();
  });
});
