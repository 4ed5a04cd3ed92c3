import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { withChild } from './bench-child.ts';

/** One request that a receiver got and answered with 2xx. */
export interface Arrival {
  readonly receiver: number;
  readonly eventId: string;
  /** By the clock of the system, as everything that processes compare. */
  readonly arrivedMs: number;
  readonly answeredMs: number;
  /** When what it announces was recorded, as its payload says. */
  readonly recordedMs: number;
}

export interface Receivers {
  readonly urls: readonly string[];
  /** How many requests were answered since they were last cleared. */
  readonly answered: () => Promise<number>;
  readonly arrivals: () => Promise<Arrival[]>;
  readonly clear: () => Promise<void>;
}

interface ReceiversWish {
  readonly count: number;
  readonly answerAfterMs: number;
}

interface StartedReceivers {
  readonly controlPort: number;
  readonly ports: readonly number[];
}

const urlOf = (port: number): string => `http://127.0.0.1:${port}`;

/** Servers that keep connections alive and take their time, in a process of their own: they slow nobody else down. */
export const withReceivers = <Result>(wish: ReceiversWish, work: (receivers: Receivers) => Promise<Result>) =>
  withChild([fileURLToPath(import.meta.url)], {}, async ({ send, firstLine }) => {
    send(JSON.stringify(wish));
    const { controlPort, ports } = JSON.parse(await firstLine) as StartedReceivers;
    const control = async (path: string) => (await fetch(urlOf(controlPort) + path)).json() as Promise<unknown>;
    return work({
      urls: ports.map(urlOf),
      answered: async () => (await control('/answered')) as number,
      arrivals: async () => (await control('/arrivals')) as Arrival[],
      clear: async () => void (await control('/clear')),
    });
  });

const listen = (server: Server): Promise<number> =>
  new Promise((resolve) => {
    server.keepAliveTimeout = 60_000; // longer than the sender keeps one, so that none is cut when it is used again
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });

async function serveReceivers({ count, answerAfterMs }: ReceiversWish): Promise<void> {
  let arrivals: Arrival[] = [];
  // An announcement goes to many receivers; its payload is read once.
  const recordedMs = new Map<string, number>();

  const receive =
    (receiver: number): RequestListener =>
    (request, response) => {
      const arrivedMs = Date.now();
      const eventId = String(request.headers['webhook-id']);
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        if (!recordedMs.has(eventId)) recordedMs.set(eventId, JSON.parse(Buffer.concat(chunks).toString()).ts);
      });
      setTimeout(() => {
        response.writeHead(204).end();
        const recorded = recordedMs.get(eventId) ?? Number.NaN;
        arrivals.push({ receiver, eventId, arrivedMs, answeredMs: Date.now(), recordedMs: recorded });
      }, answerAfterMs);
    };

  const answers: Readonly<Record<string, () => unknown>> = {
    '/answered': () => arrivals.length,
    '/arrivals': () => arrivals,
    '/clear': () => {
      arrivals = [];
      return null;
    },
  };
  const ports: number[] = [];
  for (let receiver = 0; receiver < count; receiver += 1) ports.push(await listen(createServer(receive(receiver))));
  const controlPort = await listen(
    createServer((request, response) => void response.end(JSON.stringify(answers[request.url ?? '']?.()))),
  );
  const started: StartedReceivers = { controlPort, ports };
  process.stdout.write(`${JSON.stringify(started)}\n`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const lines = createInterface(process.stdin);
  lines.once('line', (line) => void serveReceivers(JSON.parse(line) as ReceiversWish));
  lines.once('close', () => process.exit()); // whoever started it is gone
}
