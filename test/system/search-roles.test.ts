import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  createEmbeddedSearchIndexes,
  type EmbeddedSearchIndexes,
} from '../../src/adapters/embedded/search-index/search-indexes.ts';
import { systemClock } from '../../src/adapters/system/clock.ts';
import { openRegistry, type Registry } from '../../src/compose/registry.ts';
import type { Role } from '../../src/config/settings.ts';
import type { Finding } from '../../src/ports/finding.ts';
import { deleteIndexes, newPrefix } from '../adapters/opensearch/opensearch-backends.ts';
import { eventually } from '../spec/eventually.ts';
import { runRegistry, type ServedRegistry, serveRegistry, stopRegistry } from '../spec/processes/registry-process.ts';
import { documentOf, openIndex, putOf, towards, vectorsOf } from '../spec/search-index/harness.ts';
import { realServer } from '../spec/servers/real-servers.ts';
import { createTempFolder, type TempFolder } from '../spec/temp-folder.ts';
import { webBaseUrl } from '../spec/worlds/small-world.ts';

describe('the vectors of the search index', () => {
  let folder: TempFolder;
  let registries: Registry[];

  beforeEach(async () => {
    registries = [];
    folder = createTempFolder();
    const indexes = await createEmbeddedSearchIndexes({ folder: folder.path, clock: systemClock });
    const { write } = await openIndex(indexes);
    const ids = Array.from({ length: 400 }, (_, number) => `doc ${number}`);
    await write(1, ...ids.map((id) => putOf('release', 1, documentOf(id))));
    await write(null, ...ids.map((id, number) => vectorsOf('release', 1, id, towards(number % 30))));
    await indexes.switchPointer(null, 1);
    await indexes.close();
  });
  afterEach(async () => {
    for (const registry of registries) await registry.close();
    folder.remove();
  });

  const open = async (...roles: Role[]): Promise<Registry> => {
    const registry = await openRegistry({
      backends: { dataDir: folder.path },
      roles,
      logLevel: 'error',
      webBaseUrl,
      onFatal: (error) => {
        throw error;
      },
    });
    registries.push(registry);
    return registry;
  };

  /** What they take in the memory of a process with these roles, once its index is open. */
  const codeBytesIn = async (...roles: Role[]): Promise<() => Promise<number>> => {
    const indexes = (await (await open(...roles)).openSearch()) as EmbeddedSearchIndexes;
    await indexes.open(1);
    return () => indexes.codeBytes(1);
  };

  it('are in the memory of who searches, and not of who only erases or projects', async () => {
    const [erasing, projecting] = [await codeBytesIn('fetcher'), await codeBytesIn('projector')];
    const before = [await erasing(), await projecting()];
    const searching = await codeBytesIn('http');
    await eventually('they are loaded', async () => (await searching()) > 2 * before[0]!);
    expect([await erasing(), await projecting()]).toEqual(before);
  });
});

const searched = async (url: string, query: string) => fetch(`${url}/v1/search${query}`);
const isReady = async ({ url }: ServedRegistry) => (await fetch(`${url}/health/ready`)).ok;
const told = ({ stdout, stderr }: ServedRegistry) =>
  `${stdout()}${stderr()}`.split('searches cannot be answered').length - 1;

describe('a process that searches, with servers of its own and another data folder', () => {
  const folder = createTempFolder();
  afterAll(() => folder.remove());

  it('says at its start and for each search that no index is there, and what to set; and searches once there is one', async () => {
    const serve = (roles: string) => {
      const words = ['--no-demo', '--roles', roles];
      return serveRegistry(folder.path, words, { LOG_LEVEL: 'warn' });
    };
    const first = await serve('http,projector');
    await eventually('it is ready', () => isReady(first));
    await stopRegistry(first);
    rmSync(join(folder.path, 'search'), { recursive: true, force: true });

    const searching = await serve('http');
    for (const query of ['?q=quokka', '/releases?q=quokka&mode=lexical']) {
      const response = await searched(searching.url, query);
      const { error } = (await response.json()) as { error: { code: string; message: string } };
      expect([response.status, error.code]).toEqual([503, 'service_unavailable']);
      expect(error.message).toMatch(/OPENSEARCH_URL.+DATA_DIR/);
    }
    await eventually('its log says so', () => told(searching) === 1);
    const projecting = await serve('projector,http');
    await eventually('it searches', async () => (await searched(searching.url, '?q=quokka')).ok);
    expect(told(searching)).toBe(1);
    await stopRegistry(projecting);
    await stopRegistry(searching);
  });
});

const server = realServer('opensearch');

describe.skipIf(server === null)('a process that searches on OpenSearch, where no index is yet', () => {
  const folder = createTempFolder();
  const settings = { LOG_LEVEL: 'warn', OPENSEARCH_URL: server ?? '', OPENSEARCH_INDEX_PREFIX: newPrefix() };
  afterAll(async () => {
    folder.remove();
    await deleteIndexes(settings.OPENSEARCH_URL, settings.OPENSEARCH_INDEX_PREFIX);
  });

  it('waits for whoever makes it, and neither it nor the doctor misses one in its data folder', async () => {
    const first = await serveRegistry(folder.path, ['--no-demo']);
    await eventually('it is ready', () => isReady(first));
    await stopRegistry(first);
    rmSync(join(folder.path, 'search'), { recursive: true, force: true });

    const searching = await serveRegistry(folder.path, ['--no-demo', '--roles', 'http'], settings);
    await eventually('it is ready', () => isReady(searching));
    expect((await searched(searching.url, '?q=quokka')).status).toBe(200);
    expect(told(searching)).toBe(0);
    await stopRegistry(searching);
    const { stdout } = runRegistry(['doctor', '--json', '--data', folder.path], settings);
    const { findings } = JSON.parse(stdout) as { findings: Finding[] };
    expect(findings.filter(({ about }) => about === 'search index')).toMatchObject([{ state: 'ok' }]);
  });
});
