import { once } from 'node:events';
import { connect } from 'node:net';

const answerTimeoutMs = 30_000;

export interface HttpReply {
  readonly head: string;
  readonly body: Buffer;
}

/** One kept-alive connection that asks one thing at a time. */
export interface HttpConnection {
  /** Rejects unless the answer is one of those that were expected. */
  readonly get: (path: string, headers?: string) => Promise<HttpReply>;
  readonly close: () => void;
}

/** Whoever sends a cookie gets nothing that was kept ready. */
export const uncached = 'Cookie: asked=anew\r\n';

const endOfHead = '\r\n\r\n';

/** What else comes is a mistake of the benchmark, and must not be measured. */
const usualStatuses: readonly number[] = [200, 304];

/** The answer when all of it is there. */
function wholeReply(bytes: Buffer, statuses: readonly number[]): HttpReply | null {
  const headBytes = bytes.indexOf(endOfHead);
  if (headBytes < 0) return null;
  const head = bytes.toString('latin1', 0, headBytes);
  const length = head.startsWith('HTTP/1.1 304 ') ? '0' : /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1]);
  if (!statuses.includes(status) || length === undefined) throw new Error(`not the answer expected: ${head}`);
  const bodyFrom = headBytes + endOfHead.length;
  const wholeBytes = bodyFrom + Number(length);
  return bytes.length < wholeBytes ? null : { head, body: bytes.subarray(bodyFrom, wholeBytes) };
}

interface Asking {
  readonly resolve: (reply: HttpReply) => void;
  readonly reject: (error: Error) => void;
}

/** On a bare socket: a client that takes more time than the server would measure itself. */
async function openSocket(port: number, statuses: readonly number[]): Promise<HttpConnection> {
  const socket = connect({ host: '127.0.0.1', port, noDelay: true });
  await once(socket, 'connect');
  let received: Buffer[] = [];
  let waiting: Asking | null = null;

  const fail = (error: Error): void => {
    waiting?.reject(error);
    waiting = null;
    socket.destroy();
  };
  socket.on('error', fail);
  socket.on('close', () => fail(new Error('the connection was closed')));
  socket.setTimeout(answerTimeoutMs, () => {
    if (waiting !== null) fail(new Error(`no answer in ${answerTimeoutMs} ms`));
  });
  socket.on('data', (chunk) => {
    received.push(chunk);
    try {
      const reply = wholeReply(received.length === 1 ? chunk : Buffer.concat(received), statuses);
      if (reply === null) return;
      received = [];
      const { resolve } = waiting!;
      waiting = null;
      resolve(reply);
    } catch (error) {
      fail(error as Error);
    }
  });

  return {
    get: (path, headers = '') =>
      new Promise((resolve, reject) => {
        waiting = { resolve, reject };
        socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${headers}\r\n`);
      }),
    close: () => socket.destroy(),
  };
}

const isLast = ({ head }: HttpReply): boolean => /\r\nconnection: close\b/i.test(head);

/** A server that has answered often enough on one connection closes it; then there is another one. */
export async function openConnection(port: number, statuses = usualStatuses): Promise<HttpConnection> {
  let opened = await openSocket(port, statuses);
  return {
    get: async (path, headers) => {
      const reply = await opened.get(path, headers);
      if (isLast(reply)) {
        opened.close();
        opened = await openSocket(port, statuses);
      }
      return reply;
    },
    close: () => opened.close(),
  };
}

interface Target {
  readonly port: number;
  /** What may be answered; 200 and 304 when absent. */
  readonly statuses?: readonly number[] | undefined;
}

export const withConnections = <Result>(
  port: number,
  count: number,
  work: (connections: readonly HttpConnection[]) => Promise<Result>,
): Promise<Result> => withConnectionsTo({ port }, count, work);

export async function withConnectionsTo<Result>(
  { port, statuses }: Target,
  count: number,
  work: (connections: readonly HttpConnection[]) => Promise<Result>,
): Promise<Result> {
  const connections: HttpConnection[] = [];
  try {
    for (let number = 0; number < count; number += 1) connections.push(await openConnection(port, statuses));
    return await work(connections);
  } finally {
    for (const connection of connections) connection.close();
  }
}

/** Asks on all connections until it is over; answers how long each answer took. Each is made anew unless told otherwise. */
export async function answerTimesMs(
  connections: readonly HttpConnection[],
  pathOf: (number: number) => string,
  isOver: (asked: number) => boolean,
  headers = uncached,
): Promise<number[]> {
  const times: number[] = [];
  let asked = 0;
  const caller = async ({ get }: HttpConnection) => {
    while (!isOver(asked)) {
      const startedMs = performance.now();
      await get(pathOf(asked++), headers);
      times.push(performance.now() - startedMs);
    }
  };
  await Promise.all(connections.map(caller));
  return times;
}
