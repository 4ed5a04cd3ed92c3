import { type IncomingMessage, STATUS_CODES, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type ClosingServer, isArriving } from './closing-response.ts';
import { endConnection } from './end-connection.ts';
import type { Exchange, Exchanges } from './exchanges.ts';
import { faultOfParser, type RequestFault, tunnelFault } from './request-faults.ts';

/** The error envelope, made by whoever knows its shape. */
export interface ProblemAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The request is null where none could be read. */
export type ProblemMaker = (fault: RequestFault, request: IncomingMessage | null) => ProblemAnswer;

const closing = { Connection: 'close' };

const bytesOf = ({ status, headers, body }: ProblemAnswer): Buffer => {
  const all = { ...headers, 'Content-Length': String(Buffer.byteLength(body)), ...closing };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n${body}`);
};

export interface ClientErrors {
  readonly attach: (server: ClosingServer) => void;
  /** Nothing that comes on this connection is a request any more. */
  readonly isEnded: (socket: Duplex) => boolean;
  /** Answers a request that shall not come to the listener, and ends its connection. */
  readonly refuse: (exchange: Exchange, fault: RequestFault) => void;
}

/**
 * Answers in the envelope where Node would send a bare 400, 408, 413, 417 or 431, or let through what is no good request.
 * A request gets one answer, its own: what comes behind it waits for its turn.
 */
export function createClientErrors(deps: {
  readonly problem: ProblemMaker;
  readonly exchanges: Exchanges;
}): ClientErrors {
  const { problem, exchanges } = deps;
  /** Connections on which nothing is asked any more. */
  const ended = new WeakSet<Duplex>();

  const end = (socket: Duplex): void => {
    ended.add(socket);
    endConnection(socket);
  };

  const answer = (response: ServerResponse, fault: RequestFault): void => {
    if (response.headersSent) return; // it is on its way, and ends the connection
    const { status, headers, body } = problem(fault, response.req);
    response.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(body), ...closing });
    response.end(body);
  };

  /** What cannot be read is of the request that is arriving, or of none that has been heard of. */
  const refuseBytes = (socket: Duplex, fault: RequestFault): void => {
    if (ended.has(socket)) return;
    ended.add(socket);
    const owed = exchanges.of(socket);
    const arriving = owed.find(({ request }) => isArriving(request));
    if (arriving !== undefined) {
      answer(arriving.response, fault);
      return;
    }
    const answerSocket = (): void => {
      if (!socket.writable) return;
      socket.write(bytesOf(problem(fault, null)));
      endConnection(socket);
    };
    const last = owed.at(-1);
    if (last === undefined) answerSocket();
    else last.response.once('close', answerSocket);
  };

  return {
    attach: (server) => {
      server.on('connection', (socket: Socket) => {
        const destroySoon = socket.destroySoon.bind(socket);
        // Called after the last answer of a connection.
        socket.destroySoon = () => {
          if (exchanges.of(socket).some(({ request }) => isArriving(request))) end(socket);
          else destroySoon();
        };
      });
      server.on('clientError', (error: Error & { code?: string }, socket) => {
        if (error.code === 'ECONNRESET' || error.code === 'EPIPE') socket.destroy();
        else refuseBytes(socket, faultOfParser(error));
      });
      server.on('connect', (_, socket) => refuseBytes(socket, tunnelFault));
    },
    isEnded: (socket) => ended.has(socket),
    refuse: ({ request, response }, fault) => {
      ended.add(request.socket);
      answer(response, fault);
    },
  };
}
