import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/adapters/system/clock.ts';
import { type MetricsServer, startMetricsServer } from '../../src/compose/metrics/metrics-server.ts';
import { registryMetrics } from '../../src/compose/metrics/registry-metrics.ts';
import { createWorkMeters } from '../../src/compose/metrics/work-meters.ts';
import { allRoles } from '../../src/config/settings.ts';
import { eventually } from '../spec/eventually.ts';
import { noFetches, type HttpService, startHttpService } from '../spec/http/http-service.ts';
import { createTestOrg } from '../spec/http/preamble.ts';
import { createKeptLog } from '../spec/kept-log.ts';
import { startWebhookReceiver } from '../spec/webhook-receiver.ts';

const noVectors = {
  embedder: 'off',
  baseUrl: 'http://127.0.0.1:9',
  apiKey: undefined,
  model: '',
  dimensions: undefined,
  allowPrivateFetches: true,
} as const;

let service: HttpService;
let metrics: MetricsServer;

const serveMetrics = async (over: Partial<Parameters<typeof registryMetrics>[0]> = {}): Promise<MetricsServer> => {
  const log = createKeptLog();
  const server = await startMetricsServer({ port: 0, host: '127.0.0.1', log });
  const { registry, services, meter, cache, limited } = service;
  const { checks, searched } = services;
  const measured = { registry, checks, searched, meter, cache, limited, httpProcesses: () => 1 };
  server.show(registryMetrics({ ...measured, clock: systemClock, log, ...over }));
  return server;
};

const textOf = async ({ url }: MetricsServer): Promise<string> => (await fetch(url)).text();

/** The numbers of a metric by their labels, as they are printed. */
const samplesOf = (text: string, name: string): Record<string, number> =>
  Object.fromEntries(
    text
      .split('\n')
      .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
      .map((line) => [/\{(.*)\}/.exec(line)?.[1] ?? '', Number(line.split(' ').at(-1))]),
  );

const samples = async (name: string): Promise<Record<string, number>> => samplesOf(await textOf(metrics), name);

beforeAll(async () => {
  service = await startHttpService({ allowPrivateTargets: true, fetching: noFetches, embedding: noVectors });
  metrics = await serveMetrics();
});
afterAll(async () => {
  await metrics.close();
  await service.close();
});

const requests = 'registry_http_request_duration_seconds_count';

describe('requests', () => {
  it('are counted by the pattern of their route and the class of their status', async () => {
    await service.get('/v1/orgs/nobody-at-all');
    await service.get('/v1/orgs/nobody-else');
    await service.call('HEAD', '/v1/orgs');
    await service.get('/v1/orgs');
    await service.post('/v1/orgs', {});
    const counted = await samples(requests);
    expect(counted['method="GET",route="/v1/orgs/:slug",status="4xx"']).toBe(2);
    expect(counted['method="GET",route="/v1/orgs",status="2xx"']).toBe(2);
    expect(counted['method="POST",route="/v1/orgs",status="4xx"']).toBe(1);
  });

  it('are known to other threads as they are answered, kept ready or not: some step aside meanwhile', async () => {
    const { requests: seenByThem } = createWorkMeters(service.registry.measures.meters.memory);
    const before = seenByThem.value();
    await service.get('/v1/orgs');
    await service.get('/v1/orgs');
    await service.get('/v1/orgs/nobody-at-all');
    expect(seenByThem.value() - before).toBe(3);
  });

  it('are one kind when no route takes them, whatever they ask for', async () => {
    const before = Object.keys(await samples(requests));
    for (const path of ['/v1/what/ever/this/is', '/wp-admin/a/b/c', '/v1/orgs/a/b/c/d', '/a%20b/c/d/e'])
      await service.get(path);
    await service.call('PATCH', '/v1/made-up/1', { body: {} });
    await service.call('OPTIONS', '/v1/made-up/2');
    const after = await samples(requests);
    const added = Object.keys(after).filter((labels) => !before.includes(labels));
    expect(added).toEqual(['method="any",route="unknown",status="4xx"']);
    expect(after['method="any",route="unknown",status="4xx"']).toBe(6);
  });

  it('have one bucket for each bound, each as large as the one before it or larger', async () => {
    const { 'method="GET",route="/v1/orgs",status="2xx"': count } = await samples(requests);
    const buckets = Object.entries(await samples('registry_http_request_duration_seconds_bucket'))
      .filter(([labels]) => labels.startsWith('method="GET",route="/v1/orgs",status="2xx"'))
      .map(([, value]) => value);
    expect(buckets.toSorted((a, b) => a - b)).toEqual(buckets);
    expect(buckets.at(-1)).toBe(count);
  });
});

describe('work', () => {
  it('is told by its outcome: appends of this thread, deliveries of another', async () => {
    const receiver = await startWebhookReceiver();
    const { id: orgId } = await createTestOrg(service, 'Measured');
    await service.create('/v1/webhooks', { url: receiver.url(), orgId });
    const source = await service.create('/v1/sources', { name: 'News', url: 'https://measured.example/news', orgId });
    const appended = (await samples('registry_append_duration_seconds_count'))['outcome="appended"']!;
    await service.create(`/v1/sources/${source.id}/releases`, { title: 'One', publishedAt: new Date().toISOString() });
    expect((await samples('registry_append_duration_seconds_count'))['outcome="appended"']).toBeGreaterThan(appended);
    await eventually('the delivery is counted', async () => {
      const outcomes = await samples('registry_deliveries_total');
      return outcomes['outcome="success"'] === 1;
    });
    await receiver.close();
  });

  it('is told by the thread of the fetcher, too', async () => {
    // Nobody listens there.
    const source = await service.create('/v1/sources', {
      name: 'Silent',
      type: 'feed',
      url: 'http://127.0.0.1:9/feed',
    });
    expect((await service.post(`/v1/sources/${source.id}/fetch`, {})).status).toBe(202);
    await eventually('the fetch is counted', async () => {
      const outcomes = await samples('registry_fetches_total');
      return outcomes['outcome="error"'] === 1;
    });
  });

  it('is told of searches and of what is related: by words alone where nothing is embedded', async () => {
    const source = await service.create('/v1/sources', { name: 'Sought', url: 'https://sought.example/news' });
    await service.get('/v1/search?q=sought&mode=lexical');
    await service.get('/v1/search?q=sought');
    await service.get('/v1/search/releases?q=sought&mode=semantic');
    await service.get(`/v1/related/sources?source=${source.id}`);
    expect(await samples('registry_searches_total')).toEqual({
      'outcome="whole"': 1,
      'outcome="not_configured"': 3,
      'outcome="embedding_unavailable"': 0,
      'outcome="vector_index_unavailable"': 0,
      'outcome="anchor_not_embedded"': 0,
    });
  });

  it('has no lag when all was seen: read models, relay and search index', async () => {
    await eventually('nothing waits', async () => {
      const text = await textOf(metrics);
      const projections = Object.values(samplesOf(text, 'registry_projection_lag_seconds'));
      const others = ['relay', 'search'].map((who) => samplesOf(text, `registry_${who}_lag_seconds`)['']);
      return projections.length > 10 && [...projections, ...others].every((lag) => lag === 0);
    });
  });

  it('has a lag where somebody is behind', async () => {
    const { registry } = service;
    const measures = { ...registry.measures, relayPosition: async () => 0, searchPosition: async () => null };
    const behind = await serveMetrics({ registry: { ...registry, measures } });
    const text = await textOf(behind);
    await behind.close();
    expect(samplesOf(text, 'registry_relay_lag_seconds')['']).toBeGreaterThan(0);
    expect(samplesOf(text, 'registry_search_lag_seconds')).toEqual({});
  });
});

describe('what does not work', () => {
  it('is told of an embedder whose place another has taken, once that is known', async () => {
    const { registry } = service;
    const told = async (isEmbedderReplaced: () => Promise<boolean | null>) => {
      const server = await serveMetrics({
        registry: { ...registry, measures: { ...registry.measures, isEmbedderReplaced } },
      });
      const text = await textOf(server);
      await server.close();
      return samplesOf(text, 'registry_embedder_replaced');
    };
    expect(await told(async () => true)).toEqual({ '': 1 });
    expect(await told(async () => false)).toEqual({ '': 0 });
    expect(await told(async () => null)).toEqual({});
  });

  it('is 0, and the others are told all the same', async () => {
    const { registry, services } = service;
    const broken = await serveMetrics({
      registry: { ...registry, live: { ...registry.live, current: () => Promise.reject(new Error('away')) } },
      checks: { ...services.checks, eventStore: () => Promise.reject(new Error('away')) },
    });
    const text = await textOf(broken);
    await broken.close();
    expect(samplesOf(text, 'registry_up')).toMatchObject({ 'part="eventStore"': 0, 'part="operationalStore"': 1 });
    expect(samplesOf(text, 'registry_projection_lag_seconds')).toEqual({});
    expect(samplesOf(text, requests)).not.toEqual({});
  });

  it('holds nobody up who never answers', async () => {
    const silent = () => new Promise<never>(() => {});
    const clock = { ...systemClock, sleep: async () => {} };
    const stuck = await serveMetrics({
      clock,
      checks: { eventStore: silent },
      registry: { ...service.registry, live: { ...service.registry.live, current: silent } },
    });
    const text = await textOf(stuck);
    await stuck.close();
    expect(samplesOf(text, 'registry_up')).toEqual({ 'part="eventStore"': 0 });
    expect(samplesOf(text, 'registry_projection_lag_seconds')).toEqual({});
  });
});

describe('the table of metrics', () => {
  interface Row {
    readonly name: string;
    readonly kind: string;
    readonly labels: string[];
  }

  const documented = (): Row[] =>
    [...readFileSync('ops/metrics.md', 'utf8').matchAll(/^\| `(\w+)` \| (\w+) \|([^|]*)\|/gm)].map(
      ([, name = '', kind = '', labels = '']) => ({
        name,
        kind,
        labels: [...labels.matchAll(/`(\w+)`/g)].map(([, label = '']) => label).sort(),
      }),
    );

  const exported = (text: string): Row[] =>
    [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', kind = '']) => {
      const lines = text.split('\n').filter((line) => new RegExp(`^${name}(_bucket)?[ {]`).test(line));
      const labels = lines.flatMap((line) => [...line.matchAll(/[{,](\w+)="/g)].map(([, label = '']) => label));
      return { name, kind, labels: [...new Set(labels)].filter((label) => label !== 'le').sort() };
    });

  const byName = (rows: Row[]) => rows.toSorted((a, b) => a.name.localeCompare(b.name));

  it('has every metric that is told, with its kind and labels, and no other', async () => {
    await service.get('/v1/orgs');
    // A label without a value now is in no line: these have one only while something goes on.
    const sometimes = new Set(['nodejs_active_requests', 'nodejs_gc_duration_seconds']);
    const named = ({ name, kind, labels }: Row): Row => ({ name, kind, labels: sometimes.has(name) ? [] : labels });
    const { registry } = service;
    const measures = { ...registry.measures, isEmbedderReplaced: async () => false }; // as where texts are embedded
    const all = await serveMetrics({ registry: { ...registry, measures } });
    const text = await textOf(all);
    await all.close();
    expect(byName(exported(text).map(named))).toEqual(byName(documented().map(named)));
  });

  it('leaves out what this process leaves to others', async () => {
    const { registry } = service;
    const none = { ...registry.measures, relayPosition: null, searchPosition: null, isEmbedderReplaced: null };
    const namesWith = async (roles: typeof registry.measures.roles): Promise<string[]> => {
      const server = await serveMetrics({ registry: { ...registry, measures: { ...none, roles } } });
      const names = exported(await textOf(server)).map(({ name }) => name);
      await server.close();
      return names.filter((name) => name.startsWith('registry_'));
    };
    const always = ['registry_http_request_duration_seconds', 'registry_append_duration_seconds', 'registry_up'];
    const ofHttp = [
      'registry_cache_answers_total',
      'registry_cache_bytes',
      'registry_cache_evictions_total',
      'registry_limited_requests_total',
      'registry_searches_total',
      'registry_http_processes',
    ];
    expect(await namesWith(['http'])).toEqual([...always, ...ofHttp]);
    expect(await namesWith(['deliverer'])).toEqual([...always, 'registry_deliveries_total']);
    expect(await namesWith(['fetcher'])).toEqual([...always, 'registry_fetches_total']);
    expect(await namesWith(['projector'])).toEqual([...always, 'registry_projection_lag_seconds']);
    expect(allRoles).toEqual(['http', 'projector', 'relay', 'deliverer', 'fetcher']);
  });
});

it('is all that the port has', async () => {
  const { url } = metrics;
  const { status, headers } = await fetch(url, { method: 'HEAD' });
  expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
  const other = await fetch(url.replace('/metrics', '/v1/orgs'));
  expect([other.status, await other.json()]).toMatchObject([404, { error: { code: 'not_found' } }]);
  expect((await fetch(url, { method: 'POST' })).status).toBe(404);
});
