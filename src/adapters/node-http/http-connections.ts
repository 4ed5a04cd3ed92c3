import { createServer, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Log } from '../../ports/log.ts';
import { createClientErrors, type ProblemMaker } from './client-errors.ts';
import { ClosingResponse, type ClosingServer, isArriving } from './closing-response.ts';
import { createExchanges, type Exchange } from './exchanges.ts';
import { createIdleConnections, type IdleLimits } from './idle-connections.ts';
import { expectationFault, faultOfRequest, headerBytesMax, type RequestFault } from './request-faults.ts';

export type RequestListener = (request: IncomingMessage, response: ClosingResponse) => void;
/** Of one client, who may send many requests on it. */
export type Connection = Socket;

export interface HttpConnectionsOptions {
  readonly listener: RequestListener;
  readonly log: Log;
  /** How the server itself says what is wrong with a request. */
  readonly problem: ProblemMaker;
  readonly limits?: Partial<HttpLimits>;
}

export interface HttpLimits extends IdleLimits {
  /** A request whose head has not arrived by then is refused, as is a connection that says nothing. */
  readonly headersTimeoutMs: number;
  /** The same for the whole request, its body included. */
  readonly requestTimeoutMs: number;
  /** The answer to so many requests ends their connection. */
  readonly requestsPerConnectionMax: number;
  /** How long `close` waits for requests in hand. */
  readonly closeTimeoutMs: number;
}

export interface HttpConnections {
  /** Hears requests wherever it listens. */
  readonly server: ClosingServer;
  /** Requests are heard on a connection, too, that was accepted elsewhere and of which nothing was read. */
  readonly take: (connection: Connection) => void;
  /** Takes no more connections, lets the requests in hand finish, then cuts what is left. May be called twice. */
  readonly close: () => Promise<void>;
}

const defaultLimits: HttpLimits = {
  headersTimeoutMs: 20_000,
  requestTimeoutMs: 60_000,
  idleTimeoutMs: 120_000,
  // Longer than the usual minute of a proxy, so that the proxy is the one who hangs up first.
  keepAliveMs: 65_000,
  // Whoever keeps a connection for days would stay with one process however many there are; once in so many requests a
  // new connection costs nothing.
  requestsPerConnectionMax: 10_000,
  closeTimeoutMs: 10_000,
};

/** Answers every client, also the slow and the broken, and stops without dropping a request. */
export function createHttpConnections(options: HttpConnectionsOptions): HttpConnections {
  const { listener, log, problem } = options;
  const limits = { ...defaultLimits, ...options.limits };
  let closing: Promise<void> | undefined;
  let onNoneOpen: () => void = () => {};
  const open = new Set<Connection>();
  const exchanges = createExchanges();
  const clientErrors = createClientErrors({ problem, exchanges });
  const idle = createIdleConnections(limits, (connection) => exchanges.of(connection).length > 0);

  const receive = (exchange: Exchange, fault: RequestFault | null): void => {
    const { request, response } = exchange;
    if (clientErrors.isEnded(request.socket)) return;
    const requests = exchanges.count(request.socket);
    // Its answer could not be sent any more. (Node's own limit would answer it with a bare 503.)
    if (requests > limits.requestsPerConnectionMax) return;
    exchanges.begin(exchange);
    if (closing !== undefined) endWith(exchange);
    else if (requests === limits.requestsPerConnectionMax) response.setHeader('Connection', 'close');
    if (fault !== null) {
      clientErrors.refuse(exchange, fault);
    } else if (isArriving(request)) {
      // What came with the head is parsed first: a small body has then arrived, and its connection outlives a refusal.
      setImmediate(() => {
        if (!response.headersSent && !request.socket.destroyed) listener(request, response);
      });
    } else {
      listener(request, response);
    }
  };

  const server = createServer(
    {
      ServerResponse: ClosingResponse,
      maxHeaderSize: headerBytesMax,
      headersTimeout: limits.headersTimeoutMs,
      requestTimeout: limits.requestTimeoutMs,
      connectionsCheckingInterval: Math.min(1_000, limits.headersTimeoutMs),
      keepAliveTimeout: limits.keepAliveMs, // which clients are told; kept is it by `idle`
      requireHostHeader: false, // Node's own answer has no envelope
    },
    (request, response) => receive({ request, response }, faultOfRequest(request)),
  );
  // Only who reads a body asks for it: a client whose request is refused by its head keeps what it would have sent.
  server.on('checkContinue', (request, response) => {
    request.once('resume', () => {
      if (!response.headersSent) response.writeContinue();
    });
    receive({ request, response }, faultOfRequest(request));
  });
  server.on('checkExpectation', (request, response) => receive({ request, response }, expectationFault(request)));
  server.on('connection', (connection) => {
    open.add(connection);
    idle.watch(connection);
    connection.once('close', () => {
      open.delete(connection);
      if (open.size === 0) onNoneOpen();
      if (closing !== undefined) cutWhenIdle();
    });
  });
  clientErrors.attach(server);

  /** What is left then are connections on which no request has arrived. */
  const cutWhenIdle = (): void => {
    if (exchanges.all().length === 0) server.closeAllConnections();
  };

  /** Its connection has no other request, and if it is the last one no connection is needed any more. */
  const endWith = ({ response }: Exchange): void => {
    if (!response.headersSent) response.setHeader('Connection', 'close');
    response.once('close', cutWhenIdle);
  };

  const stop = async (): Promise<void> => {
    // Node itself waits only for those that it has accepted here.
    const noneOpen = new Promise<void>((resolve) => {
      onNoneOpen = resolve;
      if (open.size === 0) resolve();
    });
    server.close();
    exchanges.all().forEach(endWith);
    cutWhenIdle();
    const cut = setTimeout(() => {
      log.warn('requests were cut off because they took too long to finish', { requests: exchanges.all().length });
      server.closeAllConnections();
    }, limits.closeTimeoutMs);
    await noneOpen;
    clearTimeout(cut);
  };

  let isWatching = false;
  /** Node watches over slow clients, and knows whom to cut, only from the moment that it says that it listens. */
  const watchClients = (): void => {
    if (!isWatching && !server.listening) server.emit('listening');
    isWatching = true;
  };

  return {
    server,
    take: (connection) => {
      if (closing !== undefined) {
        connection.destroy();
        return;
      }
      watchClients();
      connection.allowHalfOpen = true; // as on those that the server accepts: who has said all still gets an answer
      server.emit('connection', connection);
      connection.resume(); // it was accepted without being read
    },
    close: () => {
      closing ??= stop();
      return closing;
    },
  };
}
