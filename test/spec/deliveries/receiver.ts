import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually } from '../eventually.ts';
import type { Behaviour } from './behaviour.ts';

/** A request that has arrived whole. */
export interface Received {
  readonly path: string;
  readonly eventId: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** Whether 2xx was sent. */
  isAccepted: boolean;
}

export interface Receiver {
  readonly url: (path: string) => string;
  /** Nobody listens any more; whatever is open is cut. */
  readonly close: () => Promise<void>;
  /** Listens again where it did before. */
  readonly reopen: () => Promise<void>;
}

export interface ReceiverOptions {
  readonly behaviourOf: (path: string, version: string) => Behaviour;
  /** Every request is added to it. */
  readonly received: Received[];
}

const slowMs = 150;

function accept(received: Received, response: ServerResponse): void {
  if (response.destroyed) return; // who asked was killed meanwhile
  response.writeHead(200).end('taken', () => {
    received.isAccepted = true;
  });
}

/** The answer to the request of that number, from 1, for the same event. */
function answer(behaviour: Behaviour, number: number, received: Received, response: ServerResponse): void {
  switch (behaviour.kind) {
    case 'accepts':
      return accept(received, response);
    case 'slow':
      setTimeout(() => accept(received, response), slowMs);
      return;
    case 'fails':
      response.writeHead(500).end('never');
      return;
    case 'refuses':
      response.writeHead(404).end('not here');
      return;
    case 'recovers': {
      const failure = behaviour.failures[number - 1];
      if (failure === undefined) return accept(received, response);
      if (failure === 'error') response.writeHead(500).end('not now');
      else if (failure === 'limited') response.writeHead(429, { 'retry-after': '2' }).end('too much');
      else response.destroy();
    }
  }
}

/** A receiver of webhooks that keeps every request it has got. */
export async function startReceiver({ behaviourOf, received }: ReceiverOptions): Promise<Receiver> {
  const numbers = new Map<string, number>();
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const path = request.url ?? '';
      const body = Buffer.concat(parts).toString('utf8');
      const { headers } = request;
      const entry: Received = { path, eventId: String(headers['webhook-id']), headers, body, isAccepted: false };
      const pair = `${path} ${entry.eventId}`;
      const number = (numbers.get(pair) ?? 0) + 1;
      numbers.set(pair, number);
      received.push(entry);
      const { release } = JSON.parse(body) as { release: { version: string } };
      answer(behaviourOf(path, release.version), number, entry, response);
    });
  });
  server.keepAliveTimeout = 0; // an idle connection that is closed at the wrong moment would be one more failure
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  /** False when another program has taken the port meanwhile; it gives it back. */
  const listen = async (): Promise<boolean> => {
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
    url: (path) => `http://127.0.0.1:${port}${path}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
    reopen: () => eventually('the port of the receiver is free', listen),
  };
}
