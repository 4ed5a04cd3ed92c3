import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Registry } from '../../src/compose/registry.ts';
import { createHttpApp } from '../../src/compose/http-app.ts';
import { BackendUnavailable } from '../../src/kernel/backend-unavailable.ts';
import type { LiveReadModels } from '../../src/runtime/projector/live-read-models.ts';
import { eventually } from '../spec/eventually.ts';
import {
  type HttpService,
  noLookups,
  rootApiKey,
  startHttpService,
  webBaseUrl,
  wideLimits,
} from '../spec/http/http-service.ts';
import { serveApp } from '../spec/http/serve-app.ts';

let service: HttpService;

beforeAll(async () => {
  service = await startHttpService();
});
afterAll(() => service.close());

const away = () => Promise.reject(new BackendUnavailable('MongoDB'));

/** The same registry, whose read models answer like this. */
const withReadModels = async (live: Partial<LiveReadModels>, use: (url: string) => Promise<void>) => {
  const registry: Registry = { ...service.registry, live: { ...service.registry.live, ...live } };
  const secretKey = new Uint8Array(32);
  const app = await createHttpApp(registry, {
    rootApiKey,
    secretKey,
    webBaseUrl,
    trustedOrigins: [],
    lookups: noLookups,
    rateLimits: wideLimits,
  });
  const { url, close } = await serveApp(app);
  try {
    await use(url);
  } finally {
    await close();
  }
};

const post = (url: string, name: string) =>
  fetch(`${url}/v1/orgs`, {
    method: 'POST',
    headers: { authorization: `Bearer ${rootApiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name }),
  });

it('a write is refused, and nothing is stored, while the read models are away', async () => {
  await withReadModels({ current: away }, async (url) => {
    const before = await service.registry.eventStore.head();
    const response = await post(url, 'Refused');
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({ error: { code: 'service_unavailable' } });
    expect(await service.registry.eventStore.head()).toBe(before);
  });
});

it('a write that was stored before they went away says so, and where', async () => {
  await withReadModels({ waitFor: away }, async (url) => {
    const response = await post(url, 'Stored');
    const position = await service.registry.eventStore.head();
    expect(response.status).toBe(503);
    expect(response.headers.get('x-service-position')).toBe(String(position));
    expect(await response.json()).toMatchObject({ error: { code: 'projection_behind', details: { position: null } } });
  });
  // The projector may not have come to it yet.
  await eventually('it is shown', async () => (await service.get('/v1/orgs/stored')).status === 200);
});

it('readiness names the server that is away, and liveness does not mind', async () => {
  await withReadModels({ current: away }, async (url) => {
    const ready = await fetch(`${url}/health/ready`);
    expect(ready.status).toBe(503);
    expect(await ready.json()).toMatchObject({
      error: { details: { checks: { eventStore: 'ok', readModels: 'fail' }, unreachable: ['MongoDB'] } },
    });
    expect((await fetch(`${url}/health/live`)).status).toBe(200);
  });
});
