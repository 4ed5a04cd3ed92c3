import { once } from 'node:events';
import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { connectRaw } from '../adapters/node-http/raw-client.ts';
import { eventually } from '../spec/eventually.ts';
import { freePort } from '../spec/killed/served-process.ts';
import {
  beginRegistry,
  type LaunchedRegistry,
  launchRegistry,
  runRegistry,
  type ServedRegistry,
  serveRegistry,
  untilServed,
} from '../spec/processes/registry-process.ts';
import { wideLimitSettings } from '../spec/processes/wide-limits.ts';
import { createTempFolder, type TempFolder } from '../spec/temp-folder.ts';

const rootKey = 'a-root-key-for-this-test-only';
let folder: TempFolder;
let running: LaunchedRegistry[] = [];

const dataDir = () => join(folder.path, 'data');

const launch = (words: readonly string[], settings: Readonly<Record<string, string>> = {}): LaunchedRegistry => {
  const launched = launchRegistry(dataDir(), words, { ROOT_API_KEY: rootKey, ...settings });
  running.push(launched);
  return launched;
};

const start = (words: readonly string[] = ['--no-demo']): Promise<ServedRegistry> => untilServed(launch(words));

const stop = ({ child, exited }: LaunchedRegistry): Promise<number | null> => {
  child.kill('SIGTERM');
  return exited;
};

const jsonOf = async (url: string): Promise<unknown> => (await fetch(url)).json();

const textAt = async (url: string): Promise<string> => (await fetch(url)).text();

const headOf = (): number => {
  const { stdout } = runRegistry(['projections', '--json', '--data', dataDir()]);
  return (JSON.parse(stdout) as { items: { head: number }[] }).items[0]!.head;
};

beforeEach(() => {
  folder = createTempFolder();
  running = [];
});

afterEach(async () => {
  for (const { child, exited } of running) {
    child.kill('SIGKILL');
    await exited;
  }
  folder.remove();
});

const postOrg = (name: string, expect = ''): string =>
  `POST /v1/orgs HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${rootKey}\r\nContent-Type: application/json\r\n` +
  `Content-Length: ${JSON.stringify({ name }).length}\r\n${expect}\r\n`;

/** A request that the service has in hand: its head is read, its body not sent yet. */
async function openRequest({ port }: ServedRegistry, name: string) {
  const client = connectRaw(port);
  client.send(postOrg(name, 'Expect: 100-continue\r\n'));
  await eventually('the service asks for the body', () => client.received().includes('100 Continue'));
  return client;
}

const refusesConnections = ({ url }: ServedRegistry) =>
  fetch(url).then(
    () => false,
    () => true,
  );

describe('a running service', () => {
  const shared = createTempFolder();
  const sharedData = join(shared.path, 'data');
  let served: ServedRegistry;

  beforeAll(async () => {
    served = await serveRegistry(sharedData, ['--no-demo'], { ROOT_API_KEY: rootKey });
  });

  afterAll(async () => {
    expect(await stop(served)).toBe(0);
    shared.remove();
  });

  it('has said that it is ready when it was', async () => {
    expect((await fetch(`${served.url}/health/ready`)).status).toBe(200);
  });

  it('has printed the settings that somebody chose, secrets only as set, and the addresses to open', async () => {
    const settings = served.stdout().split('\n\n')[0]?.split('\n').slice(1);
    expect(settings?.map((line) => line.trim().split(/ +/))).toEqual([
      ['PORT', '0'],
      ['DATA_DIR', sharedData],
      ['ROOT_API_KEY', 'set'],
      ...Object.entries(wideLimitSettings),
      ['LOG_LEVEL', 'error'],
      ['FETCH_SCHEDULE', 'off'],
      ['EMBEDDER', 'off'],
    ]);
    expect(served.stdout() + served.stderr()).not.toContain(rootKey);
    for (const path of ['/health/ready', '/v1', '/v1/orgs', '/v1/releases/latest', '/v1/openapi.json']) {
      await eventually(`${path} is printed`, () => served.stdout().includes(`${served.url}${path} `));
      expect((await fetch(served.url + path)).status).toBe(200);
    }
  });

  it('keeps its data from others who use the machine', () => {
    const entries = readdirSync(sharedData, { recursive: true, withFileTypes: true });
    const modes = entries.map((entry) => {
      const mode = statSync(join(entry.parentPath, entry.name)).mode & 0o777;
      return [entry.name, mode] as const;
    });
    expect(modes.map(([name]) => name)).toEqual(
      expect.arrayContaining(['secret.key', 'events.sqlite', 'events.sqlite-wal', 'events.sqlite-shm', 'read']),
    );
    for (const [index, [name, mode]] of modes.entries()) {
      expect(mode, name).toBe(entries[index]?.isDirectory() ? 0o700 : 0o600);
    }
    expect(statSync(sharedData).mode & 0o777).toBe(0o700);
  });

  it('answers what is no request with the envelope', async () => {
    const client = connectRaw(served.port);
    client.send('NONSENSE\r\n\r\n');
    const answer = await client.closed;
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(answer).toMatch(/\r\nX-Service-Request-Id: [0-9a-f-]{36}\r\n/);
    expect(answer).toContain('Cache-Control: no-store');
    const { error } = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n'))) as { error: object };
    expect(error).toMatchObject({ code: 'validation_failed', type: 'validation', details: { issues: [{ path: '' }] } });
  });

  it('takes a token that was made while it runs', async () => {
    const made = runRegistry(['token', 'create', '--name', 'me', '--scope', 'write', '--data', sharedData]);
    expect(made.status, made.stderr).toBe(0);
    const token = made.stdout.trim();
    expect(token).toMatch(/^relk_\w{12}_\w{32}$/);
    const me = await fetch(`${served.url}/v1/tokens/me`, { headers: { authorization: `Bearer ${token}` } });
    expect(await me.json()).toMatchObject({ kind: 'token', name: 'me', scopes: ['write'], expiresAt: null });

    const [id = ''] = /tok_\w{21}/.exec(made.stderr) ?? [];
    const events = runRegistry(['events', id, '--json', '--data', sharedData]);
    expect(JSON.parse(events.stdout)).toMatchObject({ stream: `token-${id}`, events: [{ type: 'TokenIssued.v1' }] });
  });

  it('keeps its port: a second start on it says so and touches nothing', async () => {
    const { port } = served;
    const other = join(folder.path, 'other');
    const { status, stderr } = runRegistry(['serve', '--port', String(port), '--data', other]);
    expect(stderr).toContain(`Port ${port} of 127.0.0.1 is in use`);
    expect(status).toBe(1);
    expect(existsSync(other)).toBe(false);
  });
});

describe('metrics', () => {
  const metricsUrlOf = async (launched: LaunchedRegistry): Promise<string> => {
    const { stdout } = await untilServed(launched);
    return /(http:\/\/127\.0\.0\.1:\d+\/metrics) /.exec(stdout())?.[1] ?? '';
  };

  const ownNames = async (url: string): Promise<string[]> =>
    [...(await textAt(url)).matchAll(/^# TYPE (registry_\S+)/gm)].map(([, name = '']) => name);

  it('are told by each process of its own work, on a port of its own', async () => {
    const settings = { METRICS_PORT: '0' };
    const projecting = launch(['--no-demo', '--roles', 'projector'], settings);
    const projectorUrl = await metricsUrlOf(projecting);
    const relayUrl = await metricsUrlOf(launch(['--no-demo', '--roles', 'relay'], settings));
    const always = ['registry_http_request_duration_seconds', 'registry_append_duration_seconds', 'registry_up'];
    const lags = ['registry_projection_lag_seconds', 'registry_search_lag_seconds'];
    expect(await ownNames(projectorUrl)).toEqual([...always, ...lags]);
    expect(await ownNames(relayUrl)).toEqual([...always, 'registry_relay_lag_seconds']);
    await eventually('the relay is there', async () => /^registry_relay_lag_seconds 0$/m.test(await textAt(relayUrl)));
    expect(await stop(projecting)).toBe(0);
    await expect(fetch(projectorUrl)).rejects.toThrow();
  });

  it('are told to nobody unless a port is set, and a port that is taken stops the start with its name', async () => {
    const served = await start();
    expect(served.stdout()).not.toContain('/metrics');
    const taken = { METRICS_PORT: String(served.port) };
    const { status, stderr } = runRegistry(['serve', '--port', '0', '--data', join(folder.path, 'other')], taken);
    expect(stderr).toMatch(new RegExp(`^Port ${served.port} of 127.0.0.1 is in use .* with METRICS_PORT\\.`));
    expect(status).toBe(1);
  });
});

describe('stopping', () => {
  it('finishes the request in hand when it is told to stop, and finds everything again', async () => {
    const served = await start();
    const client = await openRequest(served, 'Acme');
    served.child.kill('SIGTERM');
    await eventually('no more connections are taken', () => refusesConnections(served));
    expect(served.hasExited()).toBe(false);
    client.send(JSON.stringify({ name: 'Acme' }));
    expect(await client.closed).toMatch(/HTTP\/1\.1 201 Created/);
    expect(await served.exited).toBe(0);

    const again = await start();
    await eventually('it is ready', async () => (await fetch(`${again.url}/health/ready`)).status === 200);
    expect(await jsonOf(`${again.url}/v1/orgs/acme`)).toMatchObject({ name: 'Acme' });
    expect(await stop(again)).toBe(0);
  });

  it('ends at once at a second signal', async () => {
    const served = await start();
    await openRequest(served, 'Never');
    await eventually(
      'it ends',
      () => {
        served.child.kill('SIGTERM');
        return served.hasExited();
      },
      { everyMs: 100 },
    );
    expect(await served.exited).toBe(143);
  });
});

describe('the demo', () => {
  it('comes once: one that was cut off goes on at the next start, and a later start adds nothing', async () => {
    const first = await start([]);
    // The org that is looked for at the end: one whose creation is cut off may come back under the next free slug.
    await eventually('the org is there', async () => {
      const { slug } = (await jsonOf(`${first.url}/v1/orgs/acornjs`)) as { slug?: string };
      return slug === 'acornjs';
    });
    first.child.kill('SIGKILL');
    await first.exited;

    const second = await start([]);
    const isIn = () => `${first.stderr()}${second.stderr()}`.includes('The demo is in');
    await eventually('the demo is in', isIn, { withinMs: 60_000 });
    await eventually('everything can be read', async () => {
      const { pagination } = (await jsonOf(`${second.url}/v1/orgs`)) as { pagination: { totalItems: number } };
      return pagination.totalItems > 10;
    });
    const { releases } = (await jsonOf(`${second.url}/v1/releases/latest`)) as { releases: unknown[] };
    expect(releases.length).toBeGreaterThan(0);
    expect(await stop(second)).toBe(0);
    const head = headOf();

    const third = await start([]);
    expect(await jsonOf(`${third.url}/v1/orgs/acornjs`)).toMatchObject({ slug: 'acornjs' });
    expect(await stop(third)).toBe(0);
    expect(headOf()).toBe(head);
  });

  it('does not come where it is not wanted', async () => {
    expect(await stop(await start(['--no-demo']))).toBe(0);
    expect(headOf()).toBe(1);
  });
});

describe('roles', () => {
  it('work together from several processes, each of which says what it leaves to the others', async () => {
    const launched = launch(['--no-demo', '--roles', 'http'], { LOG_LEVEL: 'warn' });
    await eventually('it says what it waits for', () => launched.stderr().includes('not ready yet: readModels'));
    expect(launched.stdout()).toContain('answers 503 after 10 s');
    expect(launched.stdout()).not.toContain('ready at');

    const others = await start(['--roles', 'projector,fetcher']);
    expect(others.stdout()).toMatch(/\n {2}http .*\n {2}relay .*\n {2}deliverer .*no webhook is sent\n/);
    expect(others.stdout()).not.toContain('/v1');
    const http = await untilServed(launched);
    const headers = { authorization: `Bearer ${rootKey}`, 'content-type': 'application/json' };
    const created = await fetch(`${http.url}/v1/orgs`, { method: 'POST', headers, body: '{"name":"Acme"}' });
    expect(created.status).toBe(201);
    const { id: orgId } = (await created.json()) as { id: string };
    const source = { orgId, name: 'Changelog', url: 'https://acme.example/changelog' };
    const made = await fetch(`${http.url}/v1/sources`, { method: 'POST', headers, body: JSON.stringify(source) });
    const { id: sourceId } = (await made.json()) as { id: string };
    const releases = [{ title: 'One', version: '1.0.0', content: 'text' }];
    const ingested = await fetch(`${http.url}/v1/sources/${sourceId}/releases/batch`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ releases }),
    });
    const [releaseId] = ((await ingested.json()) as { insertedIds: string[] }).insertedIds;
    // Answered only when the other process has erased the text.
    expect((await fetch(`${http.url}/v1/releases/${releaseId}`, { method: 'DELETE', headers })).status).toBe(200);
    for (const path of ['/v1/orgs', '/']) expect((await fetch(others.url + path)).status).toBe(404);
    expect(await Promise.all([stop(http), stop(others)])).toEqual([0, 0]);
  });
});

describe('a start that cannot succeed says why and ends', () => {
  it('a setting that cannot be used', () => {
    const bad = runRegistry(['serve', '--data', dataDir()], { PORT: 'abc', ROOT_API_KEY: 'too-short' });
    expect(bad.stderr).toMatch(/^PORT \(--port\) must be a whole number .*\nROOT_API_KEY must be 16 or more/);
    expect(bad.stderr).not.toContain('too-short');
    expect(bad.status).toBe(1);
    expect(existsSync(dataDir())).toBe(false);
  });

  it('a role that there is not', () => {
    const { status, stderr } = runRegistry(['serve', '--roles', 'http,baker', '--data', dataDir()]);
    expect(stderr).toMatch(/^ROLES \(--roles\) must be one or more of http, projector, relay, deliverer, fetcher/);
    expect(status).toBe(2); // as every slip in the words of a command
  });

  it.each([
    ['a file', ['serve', '--port', '0'], 'taken'],
    ['below a file', ['projections'], 'taken/data'],
  ])('a data folder that is %s', (_, words, name) => {
    writeFileSync(join(folder.path, 'taken'), '');
    const { status, stderr } = runRegistry([...words, '--data', join(folder.path, name)]);
    expect(stderr).toMatch(/^.* cannot hold data: it is, or lies below, something that is no folder; .*\n$/);
    expect(status).toBe(1);
  });

  it('a data folder that nobody can make', () => {
    const { status, stderr } = runRegistry(['projections', '--data', '/proc/registry']);
    expect(stderr).toMatch(/^The folder \/proc\/registry cannot be made .*\n$/);
    expect(status).toBe(1);
  });

  const secret = { SECRET_KEY: '07'.repeat(32) };
  const nobody = { EVENT_STORE_URL: 'esdb://me:hidden@127.0.0.1:1?tls=false' };
  const nobodyElse = { MONGODB_URL: 'mongodb://me:hidden@127.0.0.1:1/registry?replicaSet=rs0' };

  it.each([
    ['EventStoreDB', { ...nobody, ...secret }, 'esdb://127.0.0.1:1 (EVENT_STORE_URL)'],
    ['MongoDB', { ...nobodyElse, ...secret }, 'mongodb://127.0.0.1:1/registry (MONGODB_URL)'],
  ])('%s that is not there, after the wait', (backend, settings, address) => {
    for (const words of [['serve', '--port', '0'], ['projections']]) {
      const { status, stderr } = runRegistry([...words, '--wait', '1', '--data', dataDir()], settings);
      expect(stderr).toContain(`${backend} cannot be reached at ${address}; `);
      expect(stderr).not.toContain('hidden');
      expect(status).toBe(1);
    }
  });

  it('a server that is waited for: alive, not ready, and stopped at once when told so', async () => {
    const port = await freePort();
    const words = ['serve', '--wait', '600', '--port', String(port), '--data', dataDir()];
    const waiting = beginRegistry(words, { ...nobody, ...secret });
    const ended = once(waiting, 'exit');
    const statusOf = (path: string) =>
      fetch(`http://127.0.0.1:${port}${path}`).then(
        ({ status }) => status,
        () => null, // it does not listen yet
      );
    await eventually('it is alive', async () => (await statusOf('/health/live')) === 200);
    expect(await statusOf('/health/ready')).toBe(503);
    expect(await statusOf('/v1/orgs')).toBe(503);
    waiting.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
  });

  it('servers without a key that all processes share', () => {
    const { status, stderr } = runRegistry(['serve', '--port', '0', '--data', dataDir()], nobody);
    expect(stderr).toContain('SECRET_KEY must be set when EVENT_STORE_URL or MONGODB_URL is');
    expect(status).toBe(1);
    expect(existsSync(dataDir())).toBe(false);
  });
});
