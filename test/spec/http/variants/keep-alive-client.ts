import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { bytesOfRequest, type RawRequest } from './raw-request.ts';

export interface RawAnswer {
  readonly status: number;
  /** Names in small letters. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
}

export interface KeepAliveClient {
  readonly ask: (request: RawRequest) => Promise<RawAnswer>;
  readonly close: () => void;
}

const endOfHead = Buffer.from('\r\n\r\n');

function parseHead(head: string): Omit<RawAnswer, 'body'> {
  const [first = '', ...lines] = head.split('\r\n');
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  return { status: Number(first.split(' ')[1]), headers };
}

export const headerOf = ({ headers }: Pick<RawAnswer, 'headers'>, name: string): string | undefined =>
  headers.find(([known]) => known === name)?.[1];

const bodyLengthOf = (method: string, head: Omit<RawAnswer, 'body'>): number => {
  if (method === 'HEAD' || head.status === 204 || head.status === 304) return 0;
  const length = headerOf(head, 'content-length');
  if (length === undefined) throw new Error(`an answer without a length: ${JSON.stringify(head)}`);
  return Number(length);
};

/**
 * One request after the other on one connection, which is opened again when the server has closed it: ten times as fast as
 * `fetch`, and it sends what `fetch` would not.
 */
export function createKeepAliveClient(port: number): KeepAliveClient {
  let open: Socket | null = null;

  async function connected(): Promise<Socket> {
    if (open !== null && !open.destroyed && open.readable) return open;
    open = connect({ port, host: '127.0.0.1', noDelay: true });
    await once(open, 'connect');
    return open;
  }

  const receive = (socket: Socket, method: string): Promise<RawAnswer> =>
    new Promise((resolve, reject) => {
      let received: Buffer = Buffer.alloc(0);
      let head: Omit<RawAnswer, 'body'> | null = null;
      let bodyBegins = 0;
      const stop = () => {
        socket.off('data', take).off('close', fail).off('error', fail);
      };
      const fail = (cause: unknown) => {
        stop();
        reject(new Error(`the connection ended after ${received.length} bytes`, { cause }));
      };
      const take = (bytes: Buffer) => {
        received = received.length === 0 ? bytes : Buffer.concat([received, bytes]);
        if (head === null) {
          const end = received.indexOf(endOfHead);
          if (end < 0) return;
          head = parseHead(received.toString('latin1', 0, end));
          bodyBegins = end + endOfHead.length;
        }
        const length = bodyLengthOf(method, head);
        if (received.length < bodyBegins + length) return;
        stop();
        if (headerOf(head, 'connection') === 'close') socket.destroy();
        resolve({ ...head, body: received.subarray(bodyBegins, bodyBegins + length) });
      };
      socket.on('data', take).on('close', fail).on('error', fail);
    });

  return {
    ask: async (request) => {
      const socket = await connected();
      const answer = receive(socket, request.method);
      socket.write(bytesOfRequest(request));
      return answer;
    },
    close: () => open?.destroy(),
  };
}
