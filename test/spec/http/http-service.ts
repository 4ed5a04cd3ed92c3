import { expect } from 'vitest';
import { openRegistry, type Registry } from '../../../src/compose/registry.ts';
import { createHttpApp, type HttpOptions } from '../../../src/compose/http-app.ts';
import type { EmbeddingSettings } from '../../../src/config/embedding-settings.ts';
import type { FetchSettings } from '../../../src/config/fetch-settings.ts';
import type { LookupSettings } from '../../../src/config/lookup-settings.ts';
import type { RateLimitSettings } from '../../../src/config/rate-limit-settings.ts';
import type { Role } from '../../../src/config/settings.ts';
import type { HttpApp } from '../../../src/compose/http-app.ts';
import type { RequestMeter } from '../../../src/http/request-meter.ts';
import type { Route } from '../../../src/http/route.ts';
import type { Services } from '../../../src/http/services.ts';
import type { SearchReading } from '../../../src/search/search-reading.ts';
import { eventually } from '../eventually.ts';
import { serveApp } from './serve-app.ts';
import { untilFed } from './until-fed.ts';
import { openTestBackends, type TestBackends } from '../servers/test-backends.ts';

export const trustedOrigin = 'https://trusted.example';
export const rootApiKey = 'root-key-for-tests-only';
const secretKey = new Uint8Array(32).fill(7);
export const webBaseUrl = 'https://registry.example';

/** Nobody listens there: no test ever asks a third party. */
export const noLookups: LookupSettings = {
  githubApiUrl: 'http://127.0.0.1:9',
  githubToken: undefined,
  allowPrivateFetches: true,
  backfillDays: 7,
};

/** Tests send more than a client may; those of the limits themselves set their own. */
export const wideLimits: RateLimitSettings = {
  limits: { anonymous: 1_000_000, account: 1_000_000, token: 1_000_000 },
  trustedProxies: [],
};

/** The same for fetches, and none is begun. */
export const noFetches: FetchSettings = {
  ...noLookups,
  githubRawUrl: noLookups.githubApiUrl,
  appStoreUrl: noLookups.githubApiUrl,
  videoFeedUrl: noLookups.githubApiUrl,
  perHostMax: 2,
  isScheduleOn: false,
  atOnceMax: 4,
};

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** Whatever came back: a test looks into it as it likes. */
  readonly body: ReturnType<typeof JSON.parse>;
  readonly text: string;
}

export interface CallOptions {
  /** Text and bytes are sent as they are, bytes without a content type; everything else as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** `null` sends no credential; absent sends the root key on writes and none on reads. */
  readonly key?: string | null;
  /** As `fetch` takes it; absent follows. */
  readonly redirect?: 'manual' | 'follow';
}

export interface HttpService {
  readonly url: string;
  readonly port: number;
  readonly registry: Registry;
  /** What its routes work with. */
  readonly services: Services;
  readonly meter: RequestMeter;
  readonly cache: HttpApp['cache'];
  readonly limited: HttpApp['limited'];
  readonly dataDir: string;
  readonly call: (method: string, path: string, options?: CallOptions) => Promise<HttpAnswer>;
  readonly get: (path: string, options?: CallOptions) => Promise<HttpAnswer>;
  readonly post: (path: string, body: unknown, options?: CallOptions) => Promise<HttpAnswer>;
  /** The body of what a POST has created; any other answer than 201 fails the test. */
  readonly create: (path: string, body: object) => Promise<HttpAnswer['body']>;
  readonly patch: (path: string, body: unknown, options?: CallOptions) => Promise<HttpAnswer>;
  readonly remove: (path: string, options?: CallOptions) => Promise<HttpAnswer>;
  readonly close: () => Promise<void>;
}

/** Every answer is held against the route's own schema; a status that is not declared fails the test that got it. */
const checkAnswer = (route: Route, status: number, body: unknown): void => {
  const name = `${route.method} ${route.path} ${status}`;
  const schema = route.responses[status];
  if (schema === undefined) throw new Error(`${name} is not declared`);
  if (schema === null) {
    expect(body, `${name} has no body`).toBeUndefined();
    return;
  }
  const parsed = schema.safeParse(JSON.parse(JSON.stringify(body)));
  if (!parsed.success) throw new Error(`${name} breaks its schema: ${JSON.stringify(parsed.error.issues.slice(0, 5))}`);
};

const isSentAsIs = (body: unknown): body is string | Uint8Array<ArrayBuffer> =>
  typeof body === 'string' || body instanceof Uint8Array;

/** The whole service over HTTP, on empty stores of its own. */
export async function startHttpService({
  fetching,
  embedding,
  search,
  backends: givenBackends,
  roles,
  ...options
}: Partial<Pick<HttpOptions, 'allowPrivateTargets' | 'resolver' | 'lookups' | 'rateLimits'>> & {
  /** Without it no source is fetched. */
  readonly fetching?: FetchSettings;
  /** Without it nothing is indexed for searches. */
  readonly embedding?: EmbeddingSettings;
  /** What is searched, instead of the registry's own. */
  readonly search?: SearchReading;
  /** Those of the project when absent; they are closed with the service. */
  readonly backends?: TestBackends;
  /** What runs in its process; all of it when absent. */
  readonly roles?: readonly Role[];
} = {}): Promise<HttpService> {
  const backends = givenBackends ?? (await openTestBackends());
  const failures: Error[] = [];
  const broken: Error[] = [];
  const registry = await openRegistry({
    backends: backends.settings,
    roles,
    logLevel: 'fatal',
    webBaseUrl,
    delivery: { secretKey, allowPrivateTargets: true, retryDelays: ['1s', '5s'] },
    fetching,
    embedding,
    onFatal: (error) => void failures.push(error),
  });
  const searched = search === undefined ? registry : { ...registry, search };
  const app = await createHttpApp(searched, {
    rootApiKey,
    secretKey,
    webBaseUrl,
    trustedOrigins: [trustedOrigin],
    lookups: noLookups,
    rateLimits: wideLimits,
    ...options,
    onAnswer: (route, status, body) => {
      try {
        checkAnswer(route, status, body);
      } catch (error) {
        broken.push(error as Error);
        throw error;
      }
    },
  });
  const { url, port, close } = await serveApp(app, [trustedOrigin]);
  await untilFed(registry);

  const call: HttpService['call'] = async (method, path, { body, headers = {}, key, redirect = 'follow' } = {}) => {
    const isWrite = method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS';
    const credential = key === undefined ? (isWrite ? rootApiKey : null) : key;
    const response = await fetch(`${url}${path}`, {
      method,
      redirect,
      headers: {
        ...(credential !== null && { authorization: `Bearer ${credential}` }),
        ...(body !== undefined && !(body instanceof Uint8Array) && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: isSentAsIs(body) ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const schemaFailure = broken.pop();
    if (schemaFailure) throw schemaFailure;
    const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: isJson && text !== '' ? JSON.parse(text) : null,
    };
  };

  // On servers the first filling of the read models takes seconds, and until then there is nothing to serve.
  const isReady = async () => (await registry.live.current()) !== null;
  await eventually('the read models are filled', isReady, { withinMs: 60_000, everyMs: 20 });
  return {
    url,
    port,
    registry,
    services: app.services,
    meter: app.meter,
    cache: app.cache,
    limited: app.limited,
    dataDir: backends.settings.dataDir,
    call,
    get: (path, options) => call('GET', path, options),
    post: (path, body, options) => call('POST', path, { ...options, body }),
    create: async (path, body) => {
      const { status, text, body: created } = await call('POST', path, { body });
      expect(status, text).toBe(201);
      return created;
    },
    patch: (path, body, options) => call('PATCH', path, { ...options, body }),
    remove: (path, options) => call('DELETE', path, options),
    close: async () => {
      await close();
      await registry.close();
      await backends.close();
      if (failures.length > 0) throw failures[0];
    },
  };
}
