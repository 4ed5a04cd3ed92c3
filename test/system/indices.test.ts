import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connectOpenSearch, type OpenSearchConnection } from '../../src/adapters/opensearch/connection.ts';
import { createOpenSearchIndexes } from '../../src/adapters/opensearch/search-indexes.ts';
import { systemClock } from '../../src/adapters/system/clock.ts';
import type { Finding } from '../../src/ports/finding.ts';
import { deleteIndexes, newPrefix } from '../adapters/opensearch/opensearch-backends.ts';
import { createKeptLog } from '../spec/kept-log.ts';
import { eventually } from '../spec/eventually.ts';
import { runRegistry, serveRegistry } from '../spec/processes/registry-process.ts';
import { documentOf, openIndex, putOf, towards, vectorsOf } from '../spec/search-index/harness.ts';
import { realServer } from '../spec/servers/real-servers.ts';
import { createTempFolder, type TempFolder } from '../spec/temp-folder.ts';

const server = realServer('opensearch');

interface Listing {
  readonly indices: readonly { readonly name: string; readonly state: string; readonly isLive: boolean }[];
}

let folder: TempFolder;
let prefix: string;
beforeEach(() => {
  folder = createTempFolder();
  prefix = newPrefix();
});
afterEach(() => folder.remove());

const registry = (words: readonly string[], url: string | null) =>
  runRegistry([...words, '--data', folder.path], {
    OPENSEARCH_INDEX_PREFIX: prefix,
    ...(url !== null && { OPENSEARCH_URL: url }),
  });

it('says that there is nothing to make without OpenSearch, and what it takes', () => {
  expect(registry(['indices', 'ensure'], null).stderr).toContain('OPENSEARCH_URL is not set');
  expect(registry(['indices', 'delete'], null)).toMatchObject({ status: 2 });
});

it('tells that OpenSearch cannot be reached, without its password', () => {
  const away = 'http://me:s3cret@127.0.0.1:1';
  const { status, stdout, stderr } = registry(['doctor', '--json'], away);
  const { findings } = JSON.parse(stdout) as { findings: Finding[] };
  expect(findings.find(({ about }) => about === 'OpenSearch')).toMatchObject({
    state: 'failure',
    sentence: expect.stringMatching(/^http:\/\/127\.0\.0\.1:1: .*ECONNREFUSED/),
  });
  expect(status).toBe(1);
  expect(stdout + stderr + registry(['indices'], away).stderr).not.toContain('s3cret');
});

describe.skipIf(server === null)('on a real OpenSearch', () => {
  const url = server ?? '';
  let connection: OpenSearchConnection;
  beforeEach(() => {
    connection = connectOpenSearch([url]);
  });
  afterEach(async () => {
    await connection.close();
    await deleteIndexes(url, prefix);
  });

  const listing = (...words: readonly string[]): Listing['indices'] =>
    (JSON.parse(registry(['indices', ...words, '--json'], url).stdout) as Listing).indices;
  const states = (rows: Listing['indices']) => rows.map(({ state }) => state).join();
  const allFindings = () =>
    (JSON.parse(registry(['doctor', '--json'], url).stdout) as { findings: Finding[] }).findings;
  const findings = () => allFindings().filter(({ about }) => about === 'OpenSearch');

  const fillOne = async (): Promise<void> => {
    const indexes = await createOpenSearchIndexes({
      urls: [url],
      prefix,
      clock: systemClock,
      log: createKeptLog(),
    });
    const { write } = await openIndex(indexes);
    await write(1, putOf('release', 1, documentOf('one')), vectorsOf('release', 1, 'one', towards(0)));
    await indexes.switchPointer(null, 1);
    await indexes.close();
  };

  it('lists what is missing, makes it, and finds it again', async () => {
    expect(states(listing())).toBe('missing');
    expect(states(listing('ensure'))).toBe('made');
    expect(states(listing('ensure'))).toBe('there');
    await fillOne();
    const rows = listing();
    expect(rows.map(({ name, isLive }) => `${name.replace(/-[0-9a-f]{16}$/, '')} ${isLive}`)).toEqual([
      `${prefix}-state false`,
      `${prefix}-release-g1 true`,
      `${prefix}-chunk-g1 true`,
      `${prefix}-source-g1 true`,
    ]);
    expect(states(rows)).toBe('there,there,there,there');
    const chunks = rows[2]!.name;
    await connection.ask({ what: 'delete an index', method: 'DELETE', path: `/${chunks}` });
    expect(states(listing())).toBe('there,there,missing,there');
    expect(findings().filter(({ state }) => state !== 'ok')).toMatchObject([
      { sentence: `the index ${chunks} is missing` },
    ]);
    expect(registry(['indices', 'ensure'], url).stdout).toMatch(/-chunk-g1-\w+ +1 +live +made, and empty/);
    expect(findings().filter(({ state }) => state !== 'ok')).toEqual([]);
  });

  it('refuses with a sentence what is there and not as ours', async () => {
    await fillOne();
    const [, releases, chunks] = listing().map(({ name }) => name);
    await connection.ask({
      what: 'change an index',
      method: 'PUT',
      path: `/${releases}/_mapping`,
      body: { properties: { extra: { type: 'keyword' } } },
    });
    await connection.ask({ what: 'delete an index', method: 'DELETE', path: `/${chunks}` });
    const { status, stderr } = registry(['indices', 'ensure'], url);
    expect(status).toBe(1);
    expect(stderr.trim()).toMatch(
      new RegExp(`The index ${releases} is not as this version makes it \\(extra\\): .*\\.$`),
    );
    expect(states(listing())).toBe('there,differs,missing,there'); // nothing was made
    expect(findings().some(({ sentence }) => sentence.endsWith('not as this version makes it: extra'))).toBe(true);
  });

  it('is told of by the doctor', () => {
    expect(findings().map(({ state, sentence }) => `${state} ${sentence}`)).toEqual([
      expect.stringMatching(/^ok it answers at http:/),
      expect.stringMatching(/^ok its version is 3\./),
      'ok it has the k-NN plugin',
      expect.stringMatching(/^ok the cluster is (green|yellow)/),
      'ok it has no search index of this registry yet',
    ]);
  });

  it('is not claimed by the doctor, who says when its index belongs to another registry', async () => {
    const served = await serveRegistry(folder.path, ['--no-demo']);
    await eventually('it is ready', async () => (await fetch(`${served.url}/health/ready`)).ok);
    served.child.kill('SIGTERM');
    expect(await served.exited).toBe(0);
    const searchFindings = () => allFindings().filter(({ about }) => about === 'search index');
    expect(searchFindings()).toMatchObject([{ state: 'ok' }]);
    const indexes = await createOpenSearchIndexes({ urls: [url], prefix, clock: systemClock, log: createKeptLog() });
    expect(await indexes.identity()).toBeNull();
    await indexes.setIdentity('another');
    await indexes.close();
    expect(searchFindings()).toMatchObject([{ state: 'failure', sentence: 'it belongs to registry another' }]);
  });

  it('moves the names for humans with the pointer', async () => {
    await fillOne();
    const indexes = await createOpenSearchIndexes({ urls: [url], prefix, clock: systemClock, log: createKeptLog() });
    const namedRelease = async () => {
      const path = `/_alias/${prefix}-release`;
      const { body } = await connection.ask<object>({ what: 'look at an alias', method: 'GET', path });
      return Object.keys(body).map((name) => name.replace(/-[0-9a-f]{16}$/, ''));
    };
    expect(await namedRelease()).toEqual([`${prefix}-release-g1`]);
    await indexes.open(2);
    expect(await indexes.switchPointer(1, 2)).toBe(true);
    expect(await namedRelease()).toEqual([`${prefix}-release-g2`]);
    await indexes.close();
  });
});
