import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerOf, rawFile, refused, type StandinAnswer, type StandinRepository } from './repositories.ts';

/** Null leaves the request without an answer; undefined lets it be answered as usual. */
export type Fault = (request: IncomingMessage, url: URL) => StandinAnswer | null | undefined;

export interface GithubStandin {
  readonly url: string;
  /** Where it has the files of its repositories as they are. */
  readonly rawUrl: string;
  /** What was asked for, in order, with the query. */
  readonly asked: readonly string[];
  readonly headersOf: (index: number) => IncomingMessage['headers'];
  /** Adds or replaces. */
  readonly put: (name: string, repository: StandinRepository) => void;
  /** Until the next call; null ends it. */
  readonly failWith: (fault: Fault | null) => void;
  readonly close: () => Promise<void>;
}

const rawPath = '/raw/';

/** Speaks as much of GitHub's REST interface as is asked of it, on loopback, with faults to order. */
export async function startGithubStandin(options: { readonly token?: string } = {}): Promise<GithubStandin> {
  const repositories: Record<string, StandinRepository> = {};
  const requests: IncomingMessage[] = [];
  let fault: Fault | null = null;

  const usual = (request: IncomingMessage, url: URL): StandinAnswer => {
    const { authorization, accept = '' } = request.headers;
    if (url.pathname.startsWith(rawPath)) {
      // Another host, which would have to be trusted with a credential.
      if (authorization !== undefined) return refused(400, 'A credential came to the host of raw files');
      return rawFile(repositories, new URL(url.href.replace(rawPath, '/')));
    }
    if (request.headers['user-agent'] === undefined) return refused(403, 'Request forbidden by administrative rules.');
    if (authorization !== undefined && authorization !== `Bearer ${options.token}`)
      return refused(401, 'Bad credentials');
    return answerOf(repositories, url, accept);
  };

  const send = (request: IncomingMessage, response: ServerResponse, { status, headers, body }: StandinAnswer): void => {
    const etag = `W/"${createHash('sha256').update(body).digest('hex')}"`;
    const limits = { 'x-ratelimit-limit': '60', 'x-ratelimit-remaining': '59', 'x-ratelimit-reset': '1900000000' };
    if (status === 200 && request.headers['if-none-match'] === etag) {
      response.writeHead(304, { etag, ...limits }).end();
      return;
    }
    response.writeHead(status, { ...limits, ...(status === 200 && { etag }), ...headers }).end(body);
  };

  const server = createServer((request, response) => {
    requests.push(request);
    const url = new URL(request.url ?? '/', `http://${request.headers.host}`);
    const answer = fault?.(request, url);
    if (answer !== null) send(request, response, answer ?? usual(request, url));
  });
  server.keepAliveTimeout = 0; // an idle connection that is closed at the wrong moment would be one more failure
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${port}`,
    rawUrl: `http://127.0.0.1:${port}/raw`,
    get asked() {
      return requests.map(({ url = '' }) => url);
    },
    headersOf: (index) => requests[index]!.headers,
    put: (name, repository) => {
      repositories[name] = repository;
    },
    failWith: (wanted) => {
      fault = wanted;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
