import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually } from './eventually.ts';

/** A request that has arrived whole. */
export interface ReceivedRequest {
  readonly path: string;
  /** From 1, among those to its path. */
  readonly number: number;
  readonly eventId: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** For who answers later, or not at all. */
  readonly response: ServerResponse;
  /** Whether 2xx was sent. */
  isAccepted: boolean;
}

export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Null leaves the request open. */
export type AnswerTo = (request: ReceivedRequest) => Answer | null;

export interface WebhookReceiver {
  /** The address of a path on it. */
  readonly url: (path?: string) => string;
  /** All that came, in order. */
  readonly requests: readonly ReceivedRequest[];
  readonly requestsTo: (path: string) => readonly ReceivedRequest[];
  /** The most that were open at the same time. */
  readonly atOnceMax: () => number;
  /** Nobody listens any more; whatever is open is cut. */
  readonly close: () => Promise<void>;
  /** Listens again where it did before. */
  readonly reopen: () => Promise<void>;
}

export function sendAnswer(request: ReceivedRequest, { status, headers, body }: Answer): void {
  if (request.response.destroyed) return; // who asked was killed meanwhile
  request.response.writeHead(status, headers).end(body, () => {
    request.isAccepted = status >= 200 && status < 300;
  });
}

/** A receiver of webhooks on this machine that keeps every request it has got, in a list that others may share. */
export async function startWebhookReceiver(
  answerTo: AnswerTo = () => ({ status: 200 }),
  requests: ReceivedRequest[] = [],
): Promise<WebhookReceiver> {
  const counts = new Map<string, number>();
  let open = 0;
  let most = 0;
  const server = createServer((incoming, response) => {
    open += 1;
    most = Math.max(most, open);
    response.on('close', () => (open -= 1));
    const parts: Buffer[] = [];
    incoming.on('data', (part: Buffer) => parts.push(part));
    incoming.on('end', () => {
      const { url: path = '', headers } = incoming;
      const number = (counts.get(path) ?? 0) + 1;
      counts.set(path, number);
      const body = Buffer.concat(parts).toString('utf8');
      const eventId = String(headers['webhook-id']);
      const request: ReceivedRequest = { path, number, eventId, headers, body, response, isAccepted: false };
      requests.push(request);
      const answer = answerTo(request);
      if (answer !== null) sendAnswer(request, answer);
    });
  });
  server.keepAliveTimeout = 0; // an idle connection that is closed at the wrong moment would be one more failure
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  /** False when another program has taken the port meanwhile; it gives it back. */
  const listenAgain = async (): Promise<boolean> => {
    server.listen(port, '127.0.0.1');
    try {
      await once(server, 'listening');
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
      return false;
    }
  };

  return {
    url: (path = '/hook') => `http://127.0.0.1:${port}${path}`,
    requests,
    requestsTo: (path) => requests.filter((request) => request.path === path),
    atOnceMax: () => most,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
    reopen: () => eventually('the port of the receiver is free', listenAgain),
  };
}
