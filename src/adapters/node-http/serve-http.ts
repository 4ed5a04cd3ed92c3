import { type AddressInfo, createServer, type Server } from 'node:net';
import { StartupError } from '../../kernel/startup-error.ts';
import {
  type Connection,
  createHttpConnections,
  type HttpConnections,
  type HttpConnectionsOptions,
} from './http-connections.ts';

export interface ServeHttpOptions extends HttpConnectionsOptions {
  /** 0 takes a free one. */
  readonly port: number;
  readonly host: string;
  /** What port and host are chosen with, for the sentence that says that they cannot be used. */
  readonly settings?: ListenSettings;
  /** Gives a connection that was accepted to somebody else; false when it is to be served here. */
  readonly handOut?: HandOut | undefined;
}

export type HandOut = (connection: Connection) => boolean;

export interface ListenSettings {
  readonly port: string;
  readonly host: string;
}

export interface HttpServer extends Pick<HttpConnections, 'take' | 'close'> {
  readonly port: number;
  /** Of the server itself, for the machine it runs on. */
  readonly url: string;
}

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

/** Accepts as the HTTP server itself would, but reads nothing: what was read cannot be given away. */
const createAcceptor = (handOut: HandOut, take: HttpConnections['take']): Server =>
  createServer({ allowHalfOpen: true, noDelay: true, pauseOnConnect: true }, (connection) => {
    if (!handOut(connection)) take(connection);
  });

/** An HTTP server that answers every client, also the slow and the broken, and stops without dropping a request. */
export async function serveHttp(options: ServeHttpOptions): Promise<HttpServer> {
  const { host, log, handOut, settings = defaultSettings } = options;
  const { server, take, close } = createHttpConnections(options);
  const accepting = handOut === undefined ? server : createAcceptor(handOut, take);
  const port = await listen(accepting, { host, port: options.port, settings });
  accepting.on('error', (error) => log.error('the HTTP server reported an error', { error }));
  return {
    port,
    url: `http://${hostOfUrl(host)}:${port}`,
    take,
    close: () => {
      if (accepting.listening) accepting.close();
      return close();
    },
  };
}
