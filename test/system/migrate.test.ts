import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Standin, startStandin } from '../standin/eventstoredb/standin-process.ts';
import { eventually } from '../spec/eventually.ts';
import { beginRegistry, runRegistry, serveRegistry, stopRegistry } from '../spec/processes/registry-process.ts';
import { realServer } from '../spec/servers/real-servers.ts';
import { startWebhookReceiver } from '../spec/webhook-receiver.ts';
import { createTempFolder, type TempFolder } from '../spec/temp-folder.ts';
import { dropMongoDatabase, mongoDatabaseUrl } from '../spec/servers/test-backends.ts';

const rootKey = 'a-root-key-for-this-test-only';
const common = {
  ROOT_API_KEY: rootKey,
  SECRET_KEY: '07'.repeat(32),
  BASE_URL: 'https://registry.example',
  CONTENT_PROVIDER: 'off', // an overview that is written between two looks would make them differ
};

let folder: TempFolder;
let standin: Standin;
let mongodbUrl: string | undefined;

const source = () => join(folder.path, 'data');

beforeEach(async () => {
  folder = createTempFolder();
  standin = await startStandin({ dataFile: join(folder.path, 'events.journal') });
});

afterEach(async () => {
  await standin.close();
  if (mongodbUrl !== undefined) await dropMongoDatabase(mongodbUrl);
  mongodbUrl = undefined;
  folder.remove();
});

const send = async (url: string, method: string, path: string, body?: unknown, key?: string) => {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${rootKey}`,
      'content-type': 'application/json',
      ...(key !== undefined && { 'idempotency-key': key }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, text: await response.text() };
};

const idIn = (text: string): string => (JSON.parse(text) as { id: string }).id;

/** Orgs, sources and releases with their edits, one erased with a long text, and an answer kept for its key. */
async function fill(url: string, count: number): Promise<string> {
  const org = idIn((await send(url, 'POST', '/v1/orgs', { name: 'Acme' }, 'key-of-acme')).text);
  // Paused: one that gets its turn between two looks would make them differ.
  const created = { name: 'Changelog', url: 'https://acme.example/changelog', orgId: org, fetchPriority: 'paused' };
  const { text } = await send(url, 'POST', '/v1/sources', created);
  const releases = Array.from({ length: count }, (_, index) => ({
    title: `Release ${index}`,
    version: `1.${index}.0`,
    content: index === 7 ? 'erased '.repeat(60_000) : `- thing ${index} “ä” \u0001 😀`,
    publishedAt: `2026-01-${String((index % 28) + 1).padStart(2, '0')}T00:00:00.000Z`,
  }));
  const batch = await send(url, 'POST', `/v1/sources/${idIn(text)}/releases/batch`, { releases });
  const ids = (JSON.parse(batch.text) as { insertedIds: string[] }).insertedIds;
  await send(url, 'PATCH', `/v1/releases/${ids[3]}`, { title: 'Another title' });
  expect((await send(url, 'DELETE', `/v1/releases/${ids[7]}`)).status).toBe(200);
  await send(url, 'PATCH', `/v1/orgs/${org}`, { name: 'Acme renamed' });
  return ids[3]!;
}

/** What the public sees, to the byte, and what a repeat of an old request gives. */
async function answersOf(url: string, releaseId: string): Promise<unknown> {
  const paths = ['/v1/orgs', '/v1/orgs/acme', '/v1/orgs/acme/releases?limit=7', '/v1/releases/latest', '/v1/sources'];
  const texts = await Promise.all(
    [...paths, `/v1/releases/${releaseId}`].map(async (path) => {
      const response = await fetch(`${url}${path}`);
      return { path, status: response.status, etag: response.headers.get('etag'), text: await response.text() };
    }),
  );
  const repeated = await send(url, 'POST', '/v1/orgs', { name: 'Acme' }, 'key-of-acme');
  return { texts, repeated };
}

const migrate = (...to: readonly string[]) =>
  runRegistry(['migrate', '--from', 'embedded', '--data', source(), '--json', '--to', ...to]);

const filled = async (count = 30): Promise<{ before: unknown; releaseId: string }> => {
  const served = await serveRegistry(source(), ['--no-demo'], common);
  const releaseId = await fill(served.url, count);
  const before = await answersOf(served.url, releaseId);
  await stopRegistry(served);
  return { before, releaseId };
};

describe('migrate, from embedded to an EventStoreDB stand-in', () => {
  it('copies everything, can be repeated, and the answers are the same bytes', async () => {
    const { before, releaseId } = await filled();
    const into = join(folder.path, 'documents');
    const first = migrate(standin.url, '--into', into);
    expect(first.stderr).toContain('Copying events');
    expect(first.status).toBe(0);
    const digest = JSON.parse(first.stdout) as { events: number; sha256: string };
    expect(digest.events).toBeGreaterThan(60);
    const again = migrate(standin.url, '--into', into);
    expect({ status: again.status, digest: JSON.parse(again.stdout) }).toEqual({ status: 0, digest });

    const served = await serveRegistry(into, ['--no-demo'], { ...common, EVENT_STORE_URL: standin.url });
    expect(await answersOf(served.url, releaseId)).toEqual(before);
    expect((await send(served.url, 'POST', '/v1/orgs', { name: 'Later' })).status).toBe(201);
    await stopRegistry(served);

    const late = migrate(standin.url, '--into', into);
    expect(late.stderr).toContain('was written to since it was copied');
    expect(late.status).toBe(1);
    // What was built from the old store is not taken for built from the new one, though it is the same registry.
    const mixed = runRegistry(['serve', '--port', '0', '--data', source()], {
      ...common,
      EVENT_STORE_URL: standin.url,
    });
    expect(mixed.stderr).toMatch(/belong to registry \S+, but the event store is registry \S+@\d+/);
    expect(mixed.status).toBe(1);
  });

  it('goes on where it was killed', async () => {
    const { before, releaseId } = await filled(400);
    const into = join(folder.path, 'documents');
    const words = ['migrate', '--from', 'embedded', '--data', source(), '--to', standin.url, '--into', into];
    const { eventsStored } = await standin.stats();
    const first = beginRegistry(words);
    await eventually('some events are copied', async () => (await standin.stats()).eventsStored > eventsStored + 20);
    first.kill('SIGKILL');
    await once(first, 'exit');
    const copied = (await standin.stats()).eventsStored - eventsStored;
    // The killed one holds the source for a while, as any service that was killed would.
    let second = migrate(standin.url, '--into', into);
    await eventually(
      'the source is free',
      () => {
        if (second.stderr.includes('if it was killed, wait ten seconds')) second = migrate(standin.url, '--into', into);
        return !second.stderr.includes('if it was killed, wait ten seconds');
      },
      { withinMs: 60_000 },
    );
    expect(second.status).toBe(0);
    expect(copied).toBeLessThan((JSON.parse(second.stdout) as { events: number }).events);
    const served = await serveRegistry(into, ['--no-demo'], { ...common, EVENT_STORE_URL: standin.url });
    expect(await answersOf(served.url, releaseId)).toEqual(before);
    await stopRegistry(served);
  });

  it('lets subscriptions go on with their keys and what they have not got yet, and sends nothing twice', async () => {
    const receiver = await startWebhookReceiver();
    const settings = { ...common, WEBHOOK_ALLOW_PRIVATE_TARGETS: 'on' };
    const first = await serveRegistry(source(), ['--no-demo'], settings);
    const orgId = idIn((await send(first.url, 'POST', '/v1/orgs', { name: 'Acme' })).text);
    const created = { name: 'Changelog', url: 'https://acme.example/changelog', orgId };
    const sourceId = idIn((await send(first.url, 'POST', '/v1/sources', created)).text);
    const subscription = await send(first.url, 'POST', '/v1/webhooks', { url: receiver.url(), orgId });
    const { id, signingKey } = JSON.parse(subscription.text) as { id: string; signingKey: string };
    const release = (url: string, title: string) =>
      send(url, 'POST', `/v1/sources/${sourceId}/releases/batch`, { releases: [{ title, version: title }] });
    const hasLogged = (url: string, attempts: number) =>
      eventually(`${attempts} attempts are logged`, async () => {
        const { text } = await send(url, 'GET', `/v1/webhooks/${id}/deliveries`);
        return (JSON.parse(text) as { data: unknown[] }).data.length === attempts;
      });
    await release(first.url, '1.0.0');
    await hasLogged(first.url, 1);
    await stopRegistry(first);
    // Announced while nobody relays: the copy has to.
    const unrelayed = await serveRegistry(source(), ['--no-demo', '--roles', 'http,projector'], settings);
    await release(unrelayed.url, '2.0.0');
    await stopRegistry(unrelayed);

    const into = join(folder.path, 'documents');
    expect(migrate(standin.url, '--into', into)).toMatchObject({ status: 0 });
    const moved = await serveRegistry(into, ['--no-demo'], { ...settings, EVENT_STORE_URL: standin.url });
    await hasLogged(moved.url, 2);
    await release(moved.url, '3.0.0');
    await hasLogged(moved.url, 3);
    await stopRegistry(moved);

    const { requests } = receiver;
    await receiver.close();
    expect(requests.map(({ body }) => JSON.parse(body).release.version)).toEqual(['1.0.0', '2.0.0', '3.0.0']);
    for (const { headers, body } of requests) {
      const signed = createHmac('sha256', Buffer.from(signingKey, 'hex'));
      const expected = signed.update(`${headers['x-service-timestamp']}.${body}`).digest('hex');
      expect(headers['x-service-signature']).toBe(`sha256=${expected}`);
    }
  });

  it('comes before the first start on the new server, which founds nothing there', async () => {
    await stopRegistry(await serveRegistry(source(), ['--no-demo'], common));
    const before = (await standin.stats()).eventsStored;
    const early = runRegistry(['serve', '--port', '0', '--data', source()], {
      ...common,
      EVENT_STORE_URL: standin.url,
    });
    expect(early.stderr).toContain('To move that registry here, run `registry migrate` first');
    expect(early.status).toBe(1);
    expect((await standin.stats()).eventsStored).toBe(before);
  });

  it('leaves a registry alone that is being served', async () => {
    const served = await serveRegistry(source(), ['--no-demo'], common);
    const refused = migrate(standin.url, '--into', join(folder.path, 'documents'));
    expect(refused.stderr).toContain('The service runs on this data folder. Stop it');
    expect(refused.status).toBe(1);
    await stopRegistry(served);
  });

  it('says what it needs', () => {
    const needs = (words: readonly string[]) => runRegistry(['migrate', '--data', source(), ...words]).stderr;
    mkdirSync(source());
    for (const file of ['events.sqlite', 'ops.sqlite']) writeFileSync(join(source(), file), '');
    expect(needs(['--to', standin.url])).toContain('Say --from embedded');
    expect(needs(['--from', 'embedded', '--to', 'http://a'])).toContain('--to takes the address of an EventStoreDB');
    expect(needs(['--from', 'embedded', '--to', standin.url])).toContain('Name a new folder with --into');
    expect(needs(['--from', 'embedded', '--to', standin.url, '--into', source()])).toContain('another folder');
    rmSync(join(source(), 'ops.sqlite'));
    const elsewhere = needs(['--from', 'embedded', '--to', standin.url, '--into', join(folder.path, 'documents')]);
    expect(elsewhere).toContain('set MONGODB_URL as the service has it');
    rmSync(source(), { recursive: true });
    const absent = needs(['--from', 'embedded', '--to', standin.url, '--into', join(folder.path, 'documents')]);
    expect(absent).toContain('There is no registry in the folder');
    expect(existsSync(source())).toBe(false);
  });
});

describe.skipIf(realServer('mongodb') === null)('migrate, to an EventStoreDB stand-in and MongoDB', () => {
  it('gives the same answers, to the byte', async () => {
    const { before, releaseId } = await filled();
    mongodbUrl = mongoDatabaseUrl();
    expect(migrate(standin.url, mongodbUrl).status).toBe(0);
    const settings = { ...common, EVENT_STORE_URL: standin.url, MONGODB_URL: mongodbUrl };
    const served = await serveRegistry(join(folder.path, 'unused'), ['--no-demo'], settings);
    expect(await answersOf(served.url, releaseId)).toEqual(before);
    await stopRegistry(served);
    const doctor = runRegistry(['doctor', '--json', '--data', join(folder.path, 'unused')], settings);
    expect(JSON.parse(doctor.stdout)).toMatchObject({ ok: true });
  });
});
