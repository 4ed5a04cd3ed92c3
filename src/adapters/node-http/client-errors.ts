import { type IncomingMessage, STATUS_CODES, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** The error envelope, made by whoever knows its shape. */
export interface ProblemAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What can be wrong before a request reaches the listener. */
type ProblemCode = 'validation_failed' | 'payload_too_large';

export type ProblemMaker = (code: ProblemCode) => ProblemAnswer;

/** A client that does not read its answer, or does not hang up after it, is cut off. */
const lingerMs = 1_000;

const bytesOf = ({ status, headers, body }: ProblemAnswer): Buffer => {
  const all = { ...headers, 'Content-Length': String(Buffer.byteLength(body)), Connection: 'close' };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n${body}`);
};

const isHostMissing = ({ httpVersion, headers }: IncomingMessage): boolean =>
  httpVersion === '1.1' && headers.host === undefined;

export interface ClientErrors {
  readonly attach: (server: Server) => void;
  /** False when the request was refused here and is none of the listener's business. */
  readonly admit: (request: IncomingMessage, response: ServerResponse) => boolean;
}

/**
 * Answers in the envelope where Node would send a bare 400, 408, 417 or 431: what cannot be parsed, what takes too
 * long to arrive, what expects something else than 100-continue, what names no host or wants a tunnel.
 */
export function createClientErrors(problem: ProblemMaker): ClientErrors {
  const refused = new WeakSet<Duplex>();
  const running = new WeakMap<Duplex, ServerResponse>();

  const refuseSocket = (socket: Duplex, code: ProblemCode): void => {
    if (refused.has(socket)) return;
    refused.add(socket);
    // Bytes of an answer that is on its way must not be followed by another one.
    const isAnswering = running.get(socket)?.headersSent ?? false;
    if (isAnswering || !socket.writable) {
      socket.destroy();
      return;
    }
    socket.end(bytesOf(problem(code)));
    setTimeout(() => socket.destroy(), lingerMs).unref();
  };

  const refuse = (response: ServerResponse): void => {
    const { status, headers, body } = problem('validation_failed');
    response.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(body), Connection: 'close' });
    response.end(body);
  };

  return {
    attach: (server) => {
      server.on('clientError', (error: Error & { code?: string }, socket) => {
        if (error.code === 'ECONNRESET' || error.code === 'EPIPE') socket.destroy();
        else refuseSocket(socket, error.code === 'HPE_HEADER_OVERFLOW' ? 'payload_too_large' : 'validation_failed');
      });
      server.on('connect', (_, socket) => refuseSocket(socket, 'validation_failed'));
      server.on('checkExpectation', (_, response: ServerResponse) => refuse(response));
    },
    admit: (request, response) => {
      const { socket } = request;
      running.set(socket, response);
      response.once('close', () => {
        if (running.get(socket) === response) running.delete(socket);
      });
      if (!isHostMissing(request)) return true;
      refuse(response);
      return false;
    },
  };
}
