import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { allProjections } from '../../projections/all-projections.ts';
import { firstBuild } from '../../src/runtime/projector/generations.ts';
import { builtModule } from '../spec/built/built-path.ts';
import { eventually } from '../spec/eventually.ts';
import { freePort, isReady } from '../spec/killed/served-process.ts';
import { type LaunchedRegistry, launchRegistry } from '../spec/processes/registry-process.ts';
import { type SeenAnswer, type SteadyRequests, startSteadyRequests } from '../spec/processes/steady-requests.ts';
import { watchPointers } from '../spec/processes/watched-pointers.ts';
import { realServer } from '../spec/servers/real-servers.ts';
import { openTestBackends, type ServerName, type TestBackends } from '../spec/servers/test-backends.ts';

const rootKey = 'a-root-key-for-this-test-only';
const headers = { authorization: `Bearer ${rootKey}`, 'content-type': 'application/json' };
const laterVersion = {
  NODE_OPTIONS: `--import ${pathToFileURL(builtModule(new URL('./raise-generations.ts', import.meta.url))).href}`,
};
const raised = ['release-feed', 'instants'];
const batches = 4;
const batchSize = 500;

let backends: TestBackends;
let running: LaunchedRegistry[];
let asking: SteadyRequests[];

interface Version extends LaunchedRegistry {
  readonly url: string;
}

async function start(version: Readonly<Record<string, string>>): Promise<Version> {
  const port = await freePort();
  const settings = { ...backends.environment, ...version, ROOT_API_KEY: rootKey, LOG_LEVEL: 'warn' };
  const launched = launchRegistry(backends.settings.dataDir, ['--no-demo', '--port', String(port)], settings);
  running.push(launched);
  return { ...launched, url: `http://127.0.0.1:${port}` };
}

const untilReady = (version: Version) =>
  eventually('it is ready', () => isReady(version.url), { withinMs: 60_000, everyMs: 20 });

const stop = async ({ child, exited }: LaunchedRegistry): Promise<number | null> => {
  child.kill('SIGTERM');
  return exited;
};

async function post(url: string, path: string, body: object): Promise<Record<string, unknown>> {
  const response = await fetch(`${url}/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  const text = await response.text();
  expect([200, 201], text).toContain(response.status);
  return JSON.parse(text) as Record<string, unknown>;
}

/** An org with thousands of releases; answers where it can be read, and how to add one more. */
async function seed(url: string) {
  const { id: orgId } = await post(url, '/orgs', { name: 'Acme' });
  const source = { orgId, name: 'Changelog', url: 'https://acme.example/changelog' };
  const { id: sourceId } = await post(url, '/sources', source);
  let count = 0;
  const add = async (by: string, size: number): Promise<string> => {
    const releases = Array.from({ length: size }, () => {
      count += 1;
      const publishedAt = new Date(Date.UTC(2020, 0, 1) + count * 60_000).toISOString();
      return { title: `Release ${count}`, version: `1.0.${count}`, content: `- fixed ${count}`, publishedAt };
    });
    const { insertedIds } = await post(by, `/sources/${String(sourceId)}/releases/batch`, { releases });
    return (insertedIds as string[]).at(-1)!;
  };
  let releaseId = '';
  for (let batch = 0; batch < batches; batch += 1) releaseId = await add(url, batchSize);
  const paths = [
    '/health/ready',
    '/v1/orgs',
    '/v1/orgs/acme/releases',
    '/v1/releases/latest',
    `/v1/releases/${releaseId}`,
  ];
  return { paths, addOne: (by: string) => add(by, 1) };
}

const ask = (version: Version, paths: readonly string[]): SteadyRequests => {
  const requests = startSteadyRequests(version.url, paths);
  asking.push(requests);
  return requests;
};

const notServed = ({ seen }: SteadyRequests) => seen.filter(({ status }) => status !== 200);

const generations = (raisedBy: number): string =>
  raised
    .map((name) => allProjections.find((projection) => projection.name === name)!)
    .map((projection) => firstBuild({ ...projection, generation: projection.generation + raisedBy }))
    .join();

const stores: [string, ServerName[]][] = [
  ['embedded stores', []],
  ...(realServer('mongodb') === null ? [] : [['MongoDB', ['mongodb']] as [string, ServerName[]]]),
];

describe.each(stores)('a rollout that raises several generations, on %s', (_, servers) => {
  beforeEach(async () => {
    running = [];
    asking = [];
    backends = await openTestBackends(servers);
  });

  afterEach(async () => {
    for (const requests of asking) await requests.stop();
    for (const { child, exited } of running) {
      child.kill('SIGKILL');
      await exited;
    }
    await backends.close();
  });

  // Three starts of the whole program: on a busy machine each of them may take long.
  it('is served throughout: by the old version until the new one can, and no older one takes it back', async () => {
    const old = await start({});
    await untilReady(old);
    const { paths, addOne } = await seed(old.url);
    const pointers = await watchPointers(backends.settings, raised);
    const toOld = ask(old, paths);
    const young = await start(laterVersion);
    const toYoung = ask(young, paths);
    const isReadyAnswer = ({ path, status }: SeenAnswer) => path === '/health/ready' && status === 200;
    await eventually('the new version is ready', () => toYoung.seen.some(isReadyAnswer), { withinMs: 60_000 });
    const { endedMs: readyMs } = toYoung.seen.find(isReadyAnswer)!;
    const written = await addOne(young.url);
    expect((await fetch(`${young.url}/v1/releases/${written}`)).status).toBe(200);
    await Promise.all([toOld.anotherRound(), toYoung.anotherRound()]);
    await toOld.stop();
    expect(notServed(toOld).filter(({ endedMs }) => endedMs < readyMs)).toEqual([]);
    expect(toOld.seen.filter(({ status }) => status !== 200 && status !== 503)).toEqual([]);
    expect(await stop(old)).toBe(0);

    const back = await start({});
    const toBack = ask(back, paths);
    await eventually('it says that it cannot serve', () => back.stderr().includes('not ready yet: readModels'), {
      withinMs: 60_000,
    });
    expect(back.stderr()).toContain('the live release-feed was made by newer folds');
    await toBack.stop();
    await toYoung.anotherRound();
    expect(new Set(toBack.seen.map(({ status }) => status))).toEqual(new Set([null, 503]));
    expect(await stop(back)).toBe(0);
    await toYoung.stop();
    expect(notServed(toYoung).filter(({ endedMs }) => endedMs > readyMs)).toEqual([]);
    await pointers.stop();
    expect([...pointers.seen]).toEqual([generations(0), generations(1)]);
  }, 300_000);
});
