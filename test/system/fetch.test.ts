import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually } from '../spec/eventually.ts';
import { freePort, rootApiKey, type ServedProcess, serveProcess } from '../spec/killed/served-process.ts';
import { runRegistryBeside } from '../spec/processes/registry-process.ts';
import { createTempFolder } from '../spec/temp-folder.ts';
import { type GithubStandin, startGithubStandin } from '../standin/github/github-standin.ts';

const folder = createTempFolder();
let github: GithubStandin;
let settings: Readonly<Record<string, string>>;
let served: ServedProcess;

const serve = async (roles: string): Promise<ServedProcess> =>
  serveProcess(folder.path, await freePort(), { ...settings, ROLES: roles });

beforeAll(async () => {
  github = await startGithubStandin();
  // Every source is at the local server.
  settings = { GITHUB_API_URL: github.url, FETCH_ALLOW_PRIVATE_TARGETS: 'on', FETCH_SCHEDULE: 'on' };
  served = await serve('http,projector');
});
afterAll(async () => {
  await served.kill('SIGTERM');
  await github.close();
  folder.remove();
});

const call = async (method: string, path: string, body?: object) => {
  const headers = { authorization: `Bearer ${rootApiKey}`, 'content-type': 'application/json' };
  const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
  const response = await fetch(`${served.url}/v1${path}`, init);
  return { status: response.status, body: JSON.parse(await response.text()) };
};
const addSource = async (name: string, fields: object = {}): Promise<string> => {
  github.put(`acme/${name}`, { releases: [{ tag: 'v1.1.0', name: 'Wings' }, { tag: 'v1.0.0' }] });
  const url = `https://github.com/acme/${name}`;
  const { status, body } = await call('POST', '/sources', { name, url, fetchPriority: 'paused', ...fields });
  expect(status).toBe(201);
  return body.id;
};
const registry = (...words: string[]) => runRegistryBeside([...words, '--data', folder.path], settings);
const releaseCount = async (id: string) => (await call('GET', `/sources/${id}`)).body.releaseCount;

it('shows what a fetch finds before it is stored, then stores it', async () => {
  const id = await addSource('rocket');
  const shown = await registry('fetch', 'rocket', '--dry-run');
  expect([shown.status, shown.stderr]).toEqual([0, '']);
  expect(shown.stdout).toMatch(/^VERSION +DATE +TITLE +WHAT HAPPENS\nv1\.1\.0 +\d{4}-\d\d-\d\d +Wings +is new\n/);
  expect(shown.stdout).toContain('dry_run: 2 releases found, nothing stored');
  expect(await releaseCount(id)).toBe(0);
  const stored = await registry('fetch', id, '--json');
  expect(JSON.parse(stored.stdout)).toMatchObject({ status: 'success', releasesInserted: 2, releasesRevised: 0 });
  await eventually('its releases are shown', async () => (await releaseCount(id)) === 2);
  expect((await registry('fetch', id, '--force')).stdout).toMatch(/Wings +is known\n/);
});

it('lists sources, those that fail first', async () => {
  await addSource('broken');
  github.failWith((_, url) =>
    url.pathname.startsWith('/repos/acme/broken') ? { status: 503, body: 'away' } : undefined,
  );
  const failed = await registry('fetch', 'broken');
  github.failWith(null);
  expect([failed.status, failed.stdout]).toEqual([
    1,
    'error: The third party failed. It answered with the status 503.\n',
  ]);
  const { stdout } = await registry('sources');
  const [head, first] = stdout.split('\n');
  expect(head).toMatch(/^SOURCE +HEALTH +PRIORITY +ERRORS +LAST FETCH +NEXT FETCH +LAST ERROR$/);
  expect(first).toMatch(/^broken +failing +paused +1 +- +- +The third party failed\./);
  expect(JSON.parse((await registry('sources', '--json')).stdout).items[0]).toMatchObject({ consecutiveErrors: 1 });
});

it('says what is wrong with a name', async () => {
  expect(await registry('fetch', 'nobody/nothing')).toMatchObject({
    status: 1,
    stderr: 'There is no source nobody/nothing.\n',
  });
  expect((await registry('fetch')).status).toBe(2);
});

it('does what was asked for before the process was killed', async () => {
  const id = await addSource('waiting');
  const scheduled = await addSource('scheduled', { fetchPriority: 'normal' });
  const { status, body } = await call('POST', `/sources/${id}/fetch`);
  expect(status).toBe(202);
  await served.kill('SIGKILL');
  served = await serve('http,projector,fetcher');
  await eventually('both are fetched', async () => {
    const counts = [await releaseCount(id), await releaseCount(scheduled)];
    return counts.every((count) => count === 2);
  });
  const logged = async (): Promise<unknown[]> => {
    const log = await call('GET', `/sources/${id}/fetch-log`);
    return log.body.items.map((item: { id: string; status: string }) => [item.id, item.status]);
  };
  await eventually('the fetch is in the log', async () => (await logged()).length > 0); // its releases come first
  expect(await logged()).toEqual([[body.jobId, 'success']]);
});
