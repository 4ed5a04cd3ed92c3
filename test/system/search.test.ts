import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually } from '../spec/eventually.ts';
import { freePort, rootApiKey, type ServedProcess, serveProcess } from '../spec/killed/served-process.ts';
import { runRegistryBeside } from '../spec/processes/registry-process.ts';
import { createTempFolder } from '../spec/temp-folder.ts';

const folder = createTempFolder();
const settings = { EMBEDDER: 'static' };
let served: ServedProcess;
let sourceId: string;
let productId: string;

const serve = async (): Promise<ServedProcess> => serveProcess(folder.path, await freePort(), settings);

const call = async (method: string, path: string, body?: object) => {
  const headers = { authorization: `Bearer ${rootApiKey}`, 'content-type': 'application/json' };
  const response = await fetch(`${served.url}/v1${path}`, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? null : JSON.parse(text) };
};

const ingest = async (from: number, count: number): Promise<string[]> => {
  const releases = Array.from({ length: count }, (_, at) => ({
    title: `Release ${from + at}`,
    version: `1.${from + at}.0`,
    content: `- The wombat number${from + at} sleeps for a whole day\n- Mended the memory of its burrow`,
  }));
  const { status, body } = await call('POST', `/sources/${sourceId}/releases/batch`, { releases });
  expect(status).toBe(200);
  return body.items.map(({ id }: { id: string }) => id);
};

const search = async (query: string) => (await call('GET', `/search?${query}`)).body;
const isFound = (word: string, id: string) =>
  eventually(`${word} is found`, async () => {
    const { releases } = await search(`q=${word}&mode=lexical`);
    return releases.some((release: { id: string }) => release.id === id);
  });

beforeAll(async () => {
  served = await serve();
  const org = (await call('POST', '/orgs', { name: 'Burrows' })).body;
  productId = (await call('POST', '/products', { orgId: org.id, name: 'Lodge' })).body.id;
  const source = {
    orgId: org.id,
    productId,
    name: 'Wombat',
    url: 'https://wombat.example/news',
    fetchPriority: 'paused',
  };
  sourceId = (await call('POST', '/sources', source)).body.id;
});
afterAll(async () => {
  await served.kill('SIGTERM');
  folder.remove();
});

it('tells when the last text of a product got its vectors', async () => {
  const embeddedAt = async (): Promise<string | null> => (await call('GET', `/products/${productId}`)).body.embeddedAt;
  let before: string | null = null;
  await eventually('what is told of its source has one', async () => (before = await embeddedAt()) !== null);
  await ingest(0, 1);
  await eventually('so has a release', async () => (await embeddedAt())! > before!);
});

it('finds what is written by words and by meaning, and who is called so', async () => {
  const [first] = await ingest(0, 1);
  await isFound('number0', first!);
  await eventually('its meaning is known', async () => {
    const { degraded, releases } = await search('q=memory+problem&mode=semantic');
    return degraded === false && releases[0]?.id === first;
  });
  const { orgs, catalog } = await search('q=wombat');
  expect(catalog.map(({ name }: { name: string }) => name)).toEqual(['Wombat']);
  expect(orgs).toEqual([]);
  const related = (await call('GET', `/related/releases?release=${first}`)).body;
  expect(related).toMatchObject({ degraded: false, items: [] });
});

it('misses nothing of what was acknowledged before the process was killed', async () => {
  const ids: string[] = [];
  for (let from = 100; from < 400; from += 100) ids.push(...(await ingest(from, 100)));
  await served.kill('SIGKILL');
  served = await serve();
  await isFound('number399', ids.at(-1)!);
  for (const at of [0, 99, 150, 250]) await isFound(`number${100 + at}`, ids[at]!);
});

it('is rebuilt beside the live index while searches go on', async () => {
  const rebuilt = await runRegistryBeside(['rebuild', 'search', '--json', '--data', folder.path], settings);
  expect(rebuilt.stderr.split('\n').filter((line) => line.includes('error'))).toEqual([]);
  expect(JSON.parse(rebuilt.stdout)).toMatchObject({ name: 'search', releases: 301 });
  const [later] = await ingest(500, 1);
  await isFound('number500', later!);
  const listed = await runRegistryBeside(['projections', '--data', folder.path]);
  expect(listed.stdout).toMatch(/^search +generation 3001 /m);
});

it('is explained on the command line', async () => {
  const explained = await runRegistryBeside(
    ['search', 'wombat', 'number150', '--explain', '--data', folder.path],
    settings,
  );
  const [head, first] = explained.stdout.split('\n');
  expect(head).toMatch(/^SCORE +BY WORDS +BY MEANING +RECENCY +SOURCE +DATE +WHAT$/);
  expect(first).toMatch(/^0\.\d+ +#1 [\d.]+ +#?[\d. -]+ +x 0\.900 +Wombat +- +1\.150\.0 Release 150$/);
  const byWords = await runRegistryBeside(
    ['search', 'wombat', 'number150', '--explain', '--mode', 'lexical', '--data', folder.path],
    settings,
  );
  expect(byWords.stdout.split('\n')[1]).toMatch(/^[\d.]+ +#1 [\d.]+ +- +- +Wombat +- +1\.150\.0 Release 150$/);
  const nothing = await runRegistryBeside(['search', '--data', folder.path], settings);
  expect([nothing.status, nothing.stderr.split('\n')[0]]).toEqual([2, 'Say what to search for.']);
});

it('has no erased text in any file', async () => {
  const releases = [{ title: 'Wrong', version: '9.9.9', content: '- The password of the burrow is xyzzyplugh' }];
  const { body } = await call('POST', `/sources/${sourceId}/releases/batch`, { releases });
  const { id } = body.items[0];
  await isFound('xyzzyplugh', id);
  expect((await call('DELETE', `/releases/${id}`)).status).toBeLessThan(300);
  expect((await search('q=xyzzyplugh&mode=lexical')).releases).toEqual([]);
  const files = readdirSync(folder.path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const holding = files.filter((entry) => readFileSync(join(entry.parentPath, entry.name)).includes('xyzzyplugh'));
  expect(holding.map(({ name }) => name)).toEqual([]);
});
