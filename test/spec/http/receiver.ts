import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Receiver {
  /** The address of a path on it. */
  readonly url: (path: string) => string;
  /** What came to a path, in order. */
  readonly requests: (path: string) => readonly ReceivedRequest[];
  readonly close: () => Promise<void>;
}

/** How the n-th request to a path, counted from 1, is answered. */
export type AnswerTo = (path: string, n: number) => number;

/** The receiving end of webhooks: a real server that remembers all that came. */
export async function startReceiver(answer: AnswerTo): Promise<Receiver> {
  const received: ReceivedRequest[] = [];
  const requests = (path: string) => received.filter((request) => request.path === path);
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const path = request.url ?? '';
      received.push({ path, headers: request.headers, body: Buffer.concat(chunks).toString('utf8') });
      const status = answer(path, requests(path).length);
      response
        .writeHead(status, status >= 300 && status < 400 ? { location: '/elsewhere' } : {})
        .end(`as ${path} says`);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: (path) => `http://127.0.0.1:${port}${path}`,
    requests,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
