import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Answers one request; whatever it does not end stays open. */
export type SitePage = (request: IncomingMessage, response: ServerResponse) => void;

export interface SiteStandin {
  readonly url: string;
  /** What was asked for, in order, with the query. */
  readonly asked: readonly string[];
  readonly headersOf: (index: number) => IncomingMessage['headers'];
  /** What stands at a path, whatever the query. */
  readonly put: (path: string, page: SitePage) => void;
  /** How many requests have come and are not answered. */
  readonly openCount: () => number;
  readonly close: () => Promise<void>;
}

type PageHeaders = Readonly<Record<string, string>>;

export const page =
  (body: string | Uint8Array, headers: PageHeaders = {}, status = 200): SitePage =>
  (_, response) =>
    response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(body);

export const redirectTo = (location: string, status = 302): SitePage => page('', { location }, status);

/** With validators, and 304 for who has the page already. */
export const validated =
  (body: string, validators: PageHeaders, headers: PageHeaders = {}): SitePage =>
  (request, response) => {
    const isKnown =
      (validators['etag'] !== undefined && request.headers['if-none-match'] === validators['etag']) ||
      (validators['last-modified'] !== undefined &&
        request.headers['if-modified-since'] === validators['last-modified']);
    if (isKnown) response.writeHead(304, validators).end();
    else page(body, { ...validators, ...headers })(request, response);
  };

/** A web site on loopback, with what a test puts there. */
export async function startSiteStandin(): Promise<SiteStandin> {
  const pages = new Map<string, SitePage>();
  const requests: IncomingMessage[] = [];
  let openCount = 0;

  const server = createServer((request, response) => {
    requests.push(request);
    openCount += 1;
    response.on('close', () => {
      openCount -= 1;
    });
    const { pathname } = new URL(request.url ?? '/', 'http://site');
    (pages.get(pathname) ?? page('Not found', {}, 404))(request, response);
  });
  server.keepAliveTimeout = 0; // an idle connection that is closed at the wrong moment would be one more failure
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${port}`,
    get asked() {
      return requests.map(({ url = '' }) => url);
    },
    headersOf: (index) => requests.at(index)!.headers,
    put: (path, wanted) => {
      pages.set(path, wanted);
    },
    openCount: () => openCount,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
