import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../spec/eventually.ts';
import {
  failingChecks,
  freePort,
  isReady,
  rootApiKey,
  type ServedProcess,
  serveProcess,
} from '../spec/killed/served-process.ts';
import {
  hasNativeOpenSearch,
  type NativeOpenSearch,
  startNativeOpenSearch,
} from '../spec/servers/native-opensearch.ts';
import { startTcpProxy } from '../spec/servers/tcp-proxy.ts';
import { createTempFolder, type TempFolder } from '../spec/temp-folder.ts';

const patience = { withinMs: 60_000, everyMs: 50 };
const serverStartMs = 180_000;
const topics = ['Sailing boats cross the ocean in a storm', 'The oven bakes bread with butter and salt'];

interface Answer {
  readonly status: number;
  readonly body: {
    readonly orgs?: readonly { readonly slug: string }[];
    readonly catalog?: readonly { readonly slug: string }[];
    readonly releases?: readonly { readonly id: string }[];
    readonly items?: readonly { readonly id: string }[];
    readonly degraded?: boolean;
    readonly degradedReason?: string;
    readonly error?: { readonly code: string; readonly details?: object };
  };
}

describe.skipIf(!hasNativeOpenSearch())('searches on OpenSearch', () => {
  let folder: TempFolder;
  let server: NativeOpenSearch;
  let service: ServedProcess;
  let sourceId: string;
  const versions = new Map<string, string>();

  const serve = async (openSearchUrl: string, isStarted = isReady) => {
    service = await serveProcess(
      folder.path,
      await freePort(),
      { OPENSEARCH_URL: openSearchUrl, EMBEDDER: 'static', RATE_LIMIT_ANONYMOUS: '100000', LOG_LEVEL: 'fatal' },
      isStarted,
    );
  };
  const get = async (path: string): Promise<Answer> => {
    const response = await fetch(`${service.url}${path}`, { signal: AbortSignal.timeout(30_000) });
    return { status: response.status, body: (await response.json()) as Answer['body'] };
  };
  const create = async (path: string, body: object): Promise<string> => {
    const response = await fetch(`${service.url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${rootApiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(30_000), // as a client that does not wait for ever
    });
    const text = await response.text();
    expect(response.status, text).toBe(201);
    return (JSON.parse(text) as { id: string }).id;
  };
  const release = async (text: string): Promise<string> => {
    const version = `${versions.size + 1}.0.0`;
    const content = `- ${text}, as it was asked for by many\n- one more thing of ${version}`;
    const id = await create(`/v1/sources/${sourceId}/releases`, { title: `Release ${version}`, version, content });
    versions.set(id, version);
    return id;
  };
  const search = (q: string, mode: string) => get(`/v1/search?q=${encodeURIComponent(q)}&mode=${mode}&limit=100`);
  const isFound = async (id: string, q: string, mode: string): Promise<boolean> => {
    const { status, body } = await search(q, mode);
    return status === 200 && body.degraded !== true && body.releases!.some((hit) => hit.id === id);
  };

  /** By its version: many say the same. */
  const isFoundByWords = (id: string, q: string) => isFound(id, `${q} ${versions.get(id)}`, 'lexical');

  beforeAll(async () => {
    folder = createTempFolder();
    server = await startNativeOpenSearch();
    await serve(server.url);
    const orgId = await create('/v1/orgs', { name: 'Searched' });
    sourceId = await create('/v1/sources', { name: 'Searched', url: 'https://searched.example/changes', orgId });
  }, serverStartMs);

  afterAll(async () => {
    await service?.kill('SIGKILL');
    await server?.wipe();
    folder?.remove();
  }, serverStartMs);

  /** Searches all the time until it is stopped. */
  const startSearching = () => {
    const answers = new Set<string>();
    let isStopped = false;
    const searching = (async () => {
      while (!isStopped) {
        const { status, body } = await search('searched', 'hybrid');
        answers.add([status, body.orgs?.length ?? 0, body.degradedReason ?? 'whole'].join(' '));
      }
    })();
    searching.catch(() => undefined); // awaited at the end
    const stop = async (): Promise<Set<string>> => {
      isStopped = true;
      await searching;
      return answers;
    };
    return { stop };
  };

  /** By names where the answer can say that there may be more, and as an error where it cannot. */
  const expectSearchAway = async (anchor: string): Promise<void> => {
    const [hybrid, semantic, lexical, releases, related] = await Promise.all([
      search('searched', 'hybrid'),
      search('searched', 'semantic'),
      search('walrus', 'lexical'),
      get('/v1/search/releases?q=walrus'),
      get(`/v1/related/releases?release=${anchor}`),
    ]);
    const degraded = { degraded: true, degradedReason: 'vector_index_unavailable' };
    const named = { orgs: [{ slug: 'searched' }], catalog: [{ slug: 'searched' }], releases: [] };
    for (const byNames of [hybrid, semantic]) {
      expect(byNames).toMatchObject({ status: 200, body: { ...degraded, ...named } });
    }
    const away = { code: 'service_unavailable', details: { unreachable: ['OpenSearch'] } };
    for (const refused of [lexical, releases]) expect(refused).toMatchObject({ status: 503, body: { error: away } });
    expect(related).toMatchObject({ status: 200, body: { ...degraded, items: [] } });
    // Its last answer counts for a moment.
    await eventually('it is not ready', async () => !(await isReady(service.url)), patience);
    const details = { checks: { searchIndex: 'fail' }, unreachable: ['OpenSearch'] };
    expect(await get('/health/ready')).toMatchObject({ status: 503, body: { error: { details } } });
  };

  it('find by words and by meaning, and tell what is related', async () => {
    const [boats, bread] = [await release(topics[0]!), await release(topics[1]!)];
    const more = await release('A ship on the sea sails through wind and waves');
    await eventually('words find it', () => isFound(boats, 'storm boats', 'lexical'), patience);
    expect(await isFound(bread, 'storm boats', 'lexical')).toBe(false);
    await eventually('meaning finds it', () => isFound(boats, 'a vessel at sea', 'semantic'), patience);
    const { body } = await search('a vessel at sea', 'semantic');
    expect(body.releases!.findIndex(({ id }) => id === bread)).not.toBe(0);
    const isRelated = async () => {
      const related = await get(`/v1/related/releases?release=${boats}`);
      return related.status === 200 && related.body.items!.some(({ id }) => id === more);
    };
    await eventually('another one is related', isRelated, patience);
  });

  const troubles: [what: string, begin: () => Promise<void>, end: () => Promise<void>][] = [
    ['is frozen', () => server.freeze(), () => server.thaw()],
    ['is killed', () => server.kill(), () => server.start()],
  ];

  it.each(troubles)(
    'say so when it %s, and find all of it later',
    async (_, begin, end) => {
      const { stop } = startSearching();
      const released: string[] = [];
      const writeMore = async (count: number): Promise<void> => {
        for (let number = 0; number < count; number += 1) released.push(await release('a walrus was painted'));
      };
      await writeMore(3);
      await eventually('what is written is found', () => isFoundByWords(released[0]!, 'walrus'), patience);

      const writing = writeMore(20);
      await begin();
      await writing;
      await expectSearchAway(released.at(-1)!);
      expect((await get('/health/live')).status).toBe(200);
      expect((await get('/v1/releases/latest')).status).toBe(200);
      expect((await get(`/v1/releases/${released.at(-1)!}`)).status).toBe(200);

      await end();
      // The org is found by its name all the time, whatever becomes of the server.
      expect([...(await stop())].sort()).toEqual(['200 1 vector_index_unavailable', '200 1 whole']);
      const last = await release('a wallaby was painted');
      await eventually('the new one is found', () => isFoundByWords(last, 'wallaby'), patience);
      await eventually('also by its meaning', () => isFound(last, 'wallaby', 'semantic'), patience);
      expect(await isFoundByWords(released.at(-1)!, 'walrus')).toBe(true);
      await eventually('it is ready again', () => isReady(service.url), patience);
    },
    serverStartMs,
  );

  it(
    'wait for a server that is away when the service starts, and let it stop',
    async () => {
      expect(await service.kill('SIGTERM')).toBe(0);
      const { hostname, port } = new URL(server.url);
      const proxy = await startTcpProxy({ host: hostname, port: Number(port) });
      await proxy.refuse();
      await serve(
        `http://127.0.0.1:${proxy.port}`,
        async (url) => (await failingChecks(url))?.join() === 'searchIndex',
      );
      const early = await release('an echidna was painted');
      await expectSearchAway(early);
      await proxy.resume();
      await eventually('it is found', () => isFound(early, 'echidna', 'hybrid'), patience);
      await eventually('it is ready', () => isReady(service.url), patience);
      await proxy.refuse();
      expect(await service.kill('SIGTERM')).toBe(0);
      await proxy.close();
    },
    serverStartMs,
  );
});
