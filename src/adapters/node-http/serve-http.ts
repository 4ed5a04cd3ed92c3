import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { StartupError } from '../../kernel/startup-error.ts';
import type { Log } from '../../ports/log.ts';
import { createClientErrors, type ProblemMaker } from './client-errors.ts';
import { ClosingResponse, isArriving } from './closing-response.ts';
import { createExchanges, type Exchange } from './exchanges.ts';
import { expectationFault, faultOfRequest, headerBytesMax, type RequestFault } from './request-faults.ts';

export type { RequestListener };

export interface ServeHttpOptions {
  readonly listener: RequestListener;
  /** 0 takes a free one. */
  readonly port: number;
  readonly host: string;
  readonly log: Log;
  /** How the server itself says what is wrong with a request. */
  readonly problem: ProblemMaker;
  readonly limits?: Partial<HttpLimits>;
  /** What port and host are chosen with, for the sentence that says that they cannot be used. */
  readonly settings?: ListenSettings;
}

export interface ListenSettings {
  readonly port: string;
  readonly host: string;
}

export interface HttpLimits {
  /** A request whose head has not arrived by then is refused, as is a connection that says nothing. */
  readonly headersTimeoutMs: number;
  /** The same for the whole request, its body included. */
  readonly requestTimeoutMs: number;
  /** A connection on which nothing moves in either direction is cut. */
  readonly idleTimeoutMs: number;
  /** The answer to so many requests ends their connection. */
  readonly requestsPerConnectionMax: number;
  /** How long `close` waits for requests in hand. */
  readonly closeTimeoutMs: number;
}

export interface HttpServer {
  readonly port: number;
  /** Of the server itself, for the machine it runs on. */
  readonly url: string;
  /** Takes no more connections, lets the requests in hand finish, then cuts what is left. May be called twice. */
  readonly close: () => Promise<void>;
}

/** Longer than the usual minute of a proxy, so that the proxy is the one who hangs up first. */
const keepAliveMs = 65_000;

const defaultLimits: HttpLimits = {
  headersTimeoutMs: 20_000,
  requestTimeoutMs: 60_000,
  idleTimeoutMs: 120_000,
  // Whoever keeps a connection for days would stay with one process however many there are; once in so many requests a
  // new connection costs nothing.
  requestsPerConnectionMax: 10_000,
  closeTimeoutMs: 10_000,
};

interface Wanted {
  readonly host: string;
  readonly port: number;
  readonly settings: ListenSettings;
}

const defaultSettings: ListenSettings = { port: 'PORT (--port)', host: 'HOST (--host)' };

const listenFailures: Readonly<Record<string, (wanted: Wanted) => string>> = {
  EADDRINUSE: ({ host, port, settings }) =>
    `Port ${port} of ${host} is in use by another program; stop that program or choose another port with ${settings.port}.`,
  EACCES: ({ port, settings }) =>
    `Port ${port} may not be used by this user; choose one above 1023 with ${settings.port}.`,
  EADDRNOTAVAIL: ({ host, settings }) => `${host} is no address of this machine; choose another with ${settings.host}.`,
  ENOTFOUND: ({ host, settings }) => `The host name ${host} is unknown here; choose another with ${settings.host}.`,
};

function listen(server: Server, wanted: Wanted): Promise<number> {
  return new Promise((resolve, reject) => {
    const fail = (error: Error & { code?: string }): void => {
      const sentence = listenFailures[error.code ?? '']?.(wanted);
      reject(sentence === undefined ? error : new StartupError(sentence, { cause: error }));
    };
    server.once('error', fail);
    server.listen({ host: wanted.host, port: wanted.port }, () => {
      server.removeListener('error', fail);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

const hostOfUrl = (host: string): string => {
  if (host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
};

/** An HTTP server that answers every client, also the slow and the broken, and stops without dropping a request. */
export async function serveHttp(options: ServeHttpOptions): Promise<HttpServer> {
  const { listener, host, log, problem, settings = defaultSettings } = options;
  const limits = { ...defaultLimits, ...options.limits };
  let closing: Promise<void> | undefined;
  const exchanges = createExchanges();
  const clientErrors = createClientErrors({ problem, exchanges });

  const received = new WeakMap<object, number>();

  const countOn = (connection: object): number => {
    const requests = (received.get(connection) ?? 0) + 1;
    received.set(connection, requests);
    return requests;
  };

  const receive = (exchange: Exchange, fault: RequestFault | null): void => {
    const { request, response } = exchange;
    if (clientErrors.isEnded(request.socket)) return;
    const requests = countOn(request.socket);
    // Its answer could not be sent any more. (Node's own limit would answer it with a bare 503.)
    if (requests > limits.requestsPerConnectionMax) return;
    exchanges.begin(exchange, () => {
      if (closing !== undefined) cutWhenIdle();
    });
    const isLast = requests === limits.requestsPerConnectionMax || closing !== undefined;
    if (isLast) response.setHeader('Connection', 'close');
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
      keepAliveTimeout: keepAliveMs,
      requireHostHeader: false, // Node's own answer has no envelope
    },
    (request, response) => receive({ request, response }, faultOfRequest(request)),
  );
  server.on('checkExpectation', (request, response) => receive({ request, response }, expectationFault(request)));
  server.setTimeout(limits.idleTimeoutMs);
  clientErrors.attach(server);
  const port = await listen(server, { host, port: options.port, settings });
  server.on('error', (error) => log.error('the HTTP server reported an error', { error }));

  /** What is left then are connections on which no request has arrived. */
  const cutWhenIdle = (): void => {
    if (exchanges.all().length === 0) server.closeAllConnections();
  };

  const stop = async (): Promise<void> => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    for (const { response } of exchanges.all()) {
      if (!response.headersSent) response.setHeader('Connection', 'close');
    }
    cutWhenIdle();
    const cut = setTimeout(() => {
      log.warn('requests were cut off because they took too long to finish', { requests: exchanges.all().length });
      server.closeAllConnections();
    }, limits.closeTimeoutMs);
    await closed;
    clearTimeout(cut);
  };

  return {
    port,
    url: `http://${hostOfUrl(host)}:${port}`,
    close: () => {
      closing ??= stop();
      return closing;
    },
  };
}
