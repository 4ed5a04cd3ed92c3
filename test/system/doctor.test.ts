import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEmbeddedSearchIndexes } from '../../src/adapters/embedded/search-index/search-indexes.ts';
import { systemClock } from '../../src/adapters/system/clock.ts';
import { openStores } from '../../src/compose/stores/open-stores.ts';
import { examineSearch } from '../../src/doctor/examine-search.ts';
import { firstBuild } from '../../src/runtime/projector/generations.ts';
import { searchGenerated } from '../../src/search/search-generation.ts';
import type { Finding } from '../../src/ports/finding.ts';
import { type Standin, type StandinOptions, startStandin } from '../standin/eventstoredb/standin-process.ts';
import { createStandinSecurity } from '../standin/eventstoredb/standin-security.ts';
import { newPrefix } from '../adapters/opensearch/opensearch-backends.ts';
import { realServer } from '../spec/servers/real-servers.ts';
import { eventually } from '../spec/eventually.ts';
import { runRegistry, serveRegistry, stopRegistry } from '../spec/processes/registry-process.ts';
import { createTempFolder, type TempFolder } from '../spec/temp-folder.ts';
import { openTestBackends } from '../spec/servers/test-backends.ts';
import { releaseFeedProjection } from '../../projections/release-feed/release-feed.ts';

let folder: TempFolder;
let standins: Standin[];

const dataDir = () => join(folder.path, 'data');

beforeEach(() => {
  folder = createTempFolder();
  standins = [];
});

afterEach(async () => {
  for (const standin of standins) await standin.close();
  folder.remove();
});

const standinOf = async (options: StandinOptions = {}): Promise<Standin> => {
  const standin = await startStandin(options);
  standins.push(standin);
  return standin;
};

const secret = { SECRET_KEY: '07'.repeat(32) };

const doctor = (settings: Readonly<Record<string, string>> = {}) => {
  // Not every machine has MiniLM.
  const given = { EMBEDDER: 'static', ...settings };
  const { status, stdout, stderr } = runRegistry(['doctor', '--json', '--data', dataDir()], given);
  expect(stderr).toBe('');
  const { ok, findings } = JSON.parse(stdout) as { ok: boolean; findings: Finding[] };
  return { status, ok, findings, stdout };
};

const bad = (findings: readonly Finding[]) => findings.filter(({ state }) => state !== 'ok');

const serveOnce = async (settings: Readonly<Record<string, string>> = {}) => {
  const served = await serveRegistry(dataDir(), ['--no-demo'], settings);
  await eventually('every read model is filled', async () => (await fetch(`${served.url}/health/ready`)).ok);
  await stopRegistry(served);
};

describe('doctor', () => {
  it('finds nothing wrong with a new data folder, and does not make it', () => {
    const { status, ok, findings } = doctor();
    expect({ status, ok, bad: bad(findings) }).toEqual({ status: 0, ok: true, bad: [] });
    expect(existsSync(dataDir())).toBe(false);
  });

  it('embeds a text', () => {
    const about = (embedder: string) =>
      doctor({ EMBEDDER: embedder }).findings.find((finding) => finding.about === 'embedder');
    expect(about('static')).toMatchObject({ state: 'ok', sentence: 'allminilm-relnotes-static-256 embeds texts' });
    expect(about('off')).toMatchObject({ state: 'ok', sentence: 'it is off: searches find by words alone' });
  });

  it('tells of every read model of a registry', async () => {
    await serveOnce();
    const { status, findings } = doctor();
    expect(bad(findings)).toEqual([]);
    const indexes = Object.keys(releaseFeedProjection.indexes).length;
    const feed = findings.find(({ about }) => about === 'read model release-feed');
    expect(feed?.sentence).toContain(`with its ${indexes} indexes`);
    expect(status).toBe(0);
  });

  it('tells of the topics and the relay of a registry', async () => {
    await serveOnce();
    const { findings } = doctor();
    expect(findings.find(({ about }) => about === 'topics')?.sentence).toBe('all 11 are there');
    expect(findings.find(({ about }) => about === 'relay')).toMatchObject({ state: 'ok' });
    const other = doctor({ WEBHOOK_RETRY_DELAYS: '7s' });
    expect(bad(other.findings)).toMatchObject([{ about: 'topics', sentence: 'missing: webhooks.retry.7s' }]);
    expect(other.status).toBe(0);
  });

  it('says when the search index was made by a newer version, and so do the projections', async () => {
    await serveOnce();
    const indexes = await createEmbeddedSearchIndexes({ folder: dataDir(), clock: systemClock });
    const newer = firstBuild({ ...searchGenerated, generation: searchGenerated.generation + 1 });
    await indexes.open(newer);
    expect(await indexes.switchPointer(await indexes.pointer(), newer)).toBe(true);
    await indexes.close();
    const { status, findings } = doctor();
    expect(bad(findings)).toMatchObject([{ about: 'search index', state: 'warning' }]);
    expect(bad(findings)[0]?.advice).toContain('registry rebuild search');
    expect(status).toBe(0);
    const listed = runRegistry(['projections', '--data', dataDir()]);
    expect(listed.stdout).toMatch(/^search .*newer version.*registry rebuild search$/m);
  });

  it('says when there is no search index in a folder that need not be that of others', async () => {
    const stores = await openStores({ backends: { dataDir: dataDir() }, onFatal: () => {} });
    const [alone, shared] = [
      await examineSearch(stores, { isShared: false }),
      await examineSearch(stores, { isShared: true }),
    ];
    await stores.close();
    expect(bad(alone)).toEqual([]);
    expect(bad(shared)).toMatchObject([
      { about: 'search index', advice: expect.stringMatching(/OPENSEARCH_URL.+DATA_DIR/) },
    ]);
  });

  it('names the servers that it cannot reach, without their passwords, and asks for a key', () => {
    const { status, ok, findings, stdout } = doctor({
      EVENT_STORE_URL: 'esdb://me:hidden@127.0.0.1:1?tls=false',
      MONGODB_URL: 'mongodb://me:hidden@127.0.0.1:1/registry?replicaSet=rs0',
      KAFKA_BROKERS: '127.0.0.1:1',
      OPENSEARCH_URL: 'http://me:hidden@127.0.0.1:1',
    });
    expect({ status, ok }).toEqual({ status: 1, ok: false });
    const away = ['SECRET_KEY', 'EventStoreDB', 'MongoDB', 'Kafka', 'OpenSearch'];
    expect(bad(findings).map(({ about }) => about)).toEqual(away);
    expect(bad(findings).every(({ advice }) => advice !== undefined)).toBe(true);
    expect(stdout).not.toContain('hidden');
  });

  it('says when SECRET_KEY is another one than before, as a start does', async () => {
    await serveOnce();
    const { status, findings } = doctor(secret);
    expect(bad(findings)).toMatchObject([{ about: 'SECRET_KEY', state: 'failure' }]);
    expect(status).toBe(1);
    const started = runRegistry(['serve', '--port', '0', '--no-demo', '--data', dataDir()], secret);
    expect(started.stderr).toContain('SECRET_KEY is not the key');
    expect(started.status).toBe(1);
  });

  it('leaves an EventStoreDB stand-in that is empty as it is', async () => {
    const standin = await standinOf();
    const before = (await standin.stats()).eventsStored;
    const { status, findings } = doctor({ ...secret, EVENT_STORE_URL: standin.url });
    expect(status).toBe(0);
    expect(bad(findings)).toEqual([]);
    expect((await standin.stats()).eventsStored).toBe(before);
  });

  it('says when an EventStoreDB stand-in refuses the password, as a start does', async () => {
    const security = createStandinSecurity(folder.path, 'right');
    const { url } = await standinOf({ security });
    expect(bad(doctor({ ...secret, EVENT_STORE_URL: url }).findings)).toEqual([]);
    const settings = { ...secret, EVENT_STORE_URL: url.replace(':right@', ':hidden@') };
    const { status, findings, stdout } = doctor(settings);
    const sentence = 'EventStoreDB refuses the user or the password of EVENT_STORE_URL.';
    expect(bad(findings)).toMatchObject([{ about: 'EventStoreDB', state: 'failure', sentence }]);
    expect(status).toBe(1);
    const started = runRegistry(['serve', '--port', '0', '--no-demo', '--data', dataDir()], settings);
    expect(started).toMatchObject({ status: 1, stderr: `${sentence}\n` });
    for (const output of [stdout, started.stdout]) expect(output).not.toContain('hidden');
  });

  it('says when an EventStoreDB stand-in takes only small appends', async () => {
    const { url } = await standinOf({ appendBytesMax: 500_000 });
    const { status, findings } = doctor({ ...secret, EVENT_STORE_URL: url });
    expect(status).toBe(1);
    expect(bad(findings)).toEqual([expect.objectContaining({ about: 'EventStoreDB', state: 'failure' })]);
    expect(bad(findings)[0]?.advice).toContain('MaxAppendSize');
  });

  it('says when read models belong to another registry than the EventStoreDB stand-in', async () => {
    await serveOnce(secret);
    const { url } = await standinOf();
    const early = doctor({ ...secret, EVENT_STORE_URL: url });
    expect(bad(early.findings).map(({ advice }) => advice)).toEqual(
      Array.from({ length: 2 }, () => expect.stringContaining('run `registry migrate` first')),
    );
    const other = createTempFolder();
    const { child, exited } = await serveRegistry(other.path, ['--no-demo'], { ...secret, EVENT_STORE_URL: url });
    child.kill('SIGTERM');
    await exited;
    other.remove();
    const { status, findings } = doctor({ ...secret, EVENT_STORE_URL: url });
    expect(status).toBe(1);
    expect(bad(findings).map(({ about }) => about)).toEqual(['read models', 'operational data']);
  });
});

const openSearchUrl = realServer('opensearch');

describe.skipIf(realServer('mongodb') === null || openSearchUrl === null)('doctor, with all stores on servers', () => {
  it('misses the search index of a data folder only where OpenSearch has none', async () => {
    const backends = await openTestBackends(['eventstoredb', 'mongodb']);
    mkdirSync(dataDir());
    const stateOf = (settings: Readonly<Record<string, string>>) =>
      doctor({ ...secret, ...backends.environment, ...settings }).findings.find(({ about }) => about === 'search index')
        ?.state;
    expect(stateOf({})).toBe('warning');
    expect(stateOf({ OPENSEARCH_URL: openSearchUrl ?? '', OPENSEARCH_INDEX_PREFIX: newPrefix() })).toBe('ok');
    await backends.close();
  });
});

describe.skipIf(realServer('kafka') === null)('doctor, with Kafka', () => {
  it('finds the topics of a registry, and says when they belong to another', async () => {
    const backends = await openTestBackends(['kafka']);
    await serveOnce(backends.environment);
    const own = doctor(backends.environment);
    expect(bad(own.findings)).toEqual([]);
    expect(own.findings.map(({ about }) => about)).toEqual(expect.arrayContaining(['Kafka', 'topics', 'relay']));

    const other = createTempFolder();
    const serve = ['serve', '--port', '0', '--no-demo', '--data', other.path];
    const refused = runRegistry(serve, backends.environment);
    expect(refused.stderr).toMatch(/The topics of the message bus belong to registry \S+, but the event store is/);
    expect(refused.stderr).toContain('Set KAFKA_TOPIC_PREFIX');
    expect(refused.status).toBe(1);
    const { status, stdout } = runRegistry(['doctor', '--json', '--data', other.path], backends.environment);
    const { findings } = JSON.parse(stdout) as { findings: Finding[] };
    expect(findings.filter(({ state }) => state === 'failure').map(({ about }) => about)).toEqual(['topics']);
    expect(status).toBe(1);
    other.remove();
    await backends.close();
  });

  it('does not start without its brokers, and names them', () => {
    const serve = ['serve', '--port', '0', '--no-demo', '--wait', '0', '--data', dataDir()];
    const { status, stderr } = runRegistry(serve, { KAFKA_BROKERS: '127.0.0.1:1' });
    expect(stderr).toContain('Kafka cannot be reached at 127.0.0.1:1 (KAFKA_BROKERS)');
    expect(status).toBe(1);
  });
});
