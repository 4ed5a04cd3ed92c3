import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'vitest';
import { openRegistry, type Registry } from '../../src/compose.ts';
import { createHttpApp } from '../../src/compose-http.ts';
import type { Route } from '../../src/http/route.ts';
import { createTempFolder } from './temp-folder.ts';

export const rootApiKey = 'root-key-for-tests-only';
export const webBaseUrl = 'https://registry.example';

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever came back
  readonly body: any;
  readonly text: string;
}

export interface CallOptions {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** `null` sends no credential; absent sends the root key on writes and none on reads. */
  readonly key?: string | null;
}

export interface HttpService {
  readonly url: string;
  readonly registry: Registry;
  readonly call: (method: string, path: string, options?: CallOptions) => Promise<HttpAnswer>;
  readonly get: (path: string, options?: CallOptions) => Promise<HttpAnswer>;
  readonly post: (path: string, body: unknown, options?: CallOptions) => Promise<HttpAnswer>;
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

const listen = (server: Server): Promise<string> =>
  new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)),
  );

/** The whole service over HTTP, in a folder of its own. */
export async function startHttpService(): Promise<HttpService> {
  const folder = createTempFolder();
  const failures: Error[] = [];
  const broken: Error[] = [];
  const registry = await openRegistry({
    dataDir: folder.path,
    logLevel: 'fatal',
    webBaseUrl,
    onFatal: (error) => void failures.push(error),
  });
  const { app } = await createHttpApp(registry, {
    rootApiKey,
    secretKey: new Uint8Array(32).fill(7),
    webBaseUrl,
    trustedOrigins: ['https://trusted.example'],
    onAnswer: (route, status, body) => {
      try {
        checkAnswer(route, status, body);
      } catch (error) {
        broken.push(error as Error);
        throw error;
      }
    },
  });
  const server = createServer(app.callback());
  const url = await listen(server);

  const call: HttpService['call'] = async (method, path, { body, headers = {}, key } = {}) => {
    const isWrite = method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS';
    const credential = key === undefined ? (isWrite ? rootApiKey : null) : key;
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        ...(credential !== null && { authorization: `Bearer ${credential}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
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

  return {
    url,
    registry,
    call,
    get: (path, options) => call('GET', path, options),
    post: (path, body, options) => call('POST', path, { ...options, body }),
    patch: (path, body, options) => call('PATCH', path, { ...options, body }),
    remove: (path, options) => call('DELETE', path, options),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await registry.close();
      folder.remove();
      if (failures.length > 0) throw failures[0];
    },
  };
}
