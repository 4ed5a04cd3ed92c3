import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedRequest {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly response: ServerResponse;
}

export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Receiver {
  readonly url: string;
  readonly requests: readonly ReceivedRequest[];
  /** The most that were open at the same time. */
  readonly atOnceMax: () => number;
  readonly close: () => Promise<void>;
}

/** A receiver of webhooks on this machine. The answer is given the number of the request, from 1; null leaves it open. */
export async function startReceiver(
  answer: (number: number, request: ReceivedRequest) => Answer | null = () => ({ status: 200 }),
): Promise<Receiver> {
  const requests: ReceivedRequest[] = [];
  let open = 0;
  let most = 0;
  const server = createServer((request, response) => {
    open += 1;
    most = Math.max(most, open);
    response.on('close', () => (open -= 1));
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const received = { headers: request.headers, body: Buffer.concat(parts).toString('utf8'), response };
      const given = answer(requests.push(received), received);
      if (given !== null) response.writeHead(given.status, given.headers).end(given.body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    requests,
    atOnceMax: () => most,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
