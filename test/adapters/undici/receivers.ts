import { readFileSync } from 'node:fs';
import { createServer as createHttpServer, type RequestListener, type Server as HttpServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';

const fileBeside = (name: string): string => fileURLToPath(new URL(`./${name}`, import.meta.url));

/** For receiver.invalid. */
export const selfSignedFile = fileBeside('self-signed.pem');
export const authorityFile = fileBeside('authority.pem');
/** Signed by the authority. */
export const hooksFile = fileBeside('hooks.example.com.pem');

export interface Receiver {
  readonly port: number;
  /** By its address. */
  readonly url: string;
  /** Every connection that was ever made. */
  readonly sockets: readonly Socket[];
  readonly openCount: () => number;
}

export interface HttpsOptions {
  /** Told of each name that a client says in the handshake. */
  readonly onName?: (name: string) => void;
  /** Key and certificate. */
  readonly pemFile?: string;
}

export interface Receivers {
  readonly http: (listener: RequestListener) => Promise<Receiver>;
  readonly https: (listener: RequestListener, options?: HttpsOptions) => Promise<Receiver>;
  /** Sends what it likes, HTTP or not. */
  readonly raw: (onConnection: (socket: Socket) => void) => Promise<Receiver>;
  /** A port where nobody listens. */
  readonly closedPort: () => Promise<number>;
  readonly closeAll: () => Promise<void>;
}

const listening = (server: Server): Promise<number> =>
  new Promise((resolve) => {
    server.listen(0, () => resolve((server.address() as AddressInfo).port));
  });

const closed = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
  });

/** Whom a client can be sent to, on every address of this machine. */
export const createReceivers = (): Receivers => {
  const servers: { server: Server; sockets: readonly Socket[] }[] = [];

  const start = async (server: Server, scheme: string): Promise<Receiver> => {
    const sockets: Socket[] = [];
    server.on('connection', (socket: Socket) => {
      sockets.push(socket);
      socket.on('error', () => undefined); // clients that go away in the middle are what these tests are about
    });
    servers.push({ server, sockets });
    const port = await listening(server);
    const openCount = (): number => sockets.filter((socket) => !socket.destroyed).length;
    return { port, url: `${scheme}://127.0.0.1:${port}/`, sockets, openCount };
  };

  /** A client ends the connections, so that what is seen of them is its doing. */
  const patient = <Served extends HttpServer>(server: Served): Served => {
    server.keepAliveTimeout = 0;
    return server;
  };

  return {
    http: (listener) => start(patient(createHttpServer(listener)), 'http'),
    https: (listener, { onName, pemFile = selfSignedFile } = {}) => {
      const pem = readFileSync(pemFile);
      const server = createHttpsServer(
        {
          key: pem,
          cert: pem,
          SNICallback: (name, done) => {
            onName?.(name);
            done(null);
          },
        },
        listener,
      );
      server.on('tlsClientError', () => undefined);
      return start(patient(server), 'https');
    },
    raw: (onConnection) => {
      const server = createTcpServer((socket) => {
        onConnection(socket);
        socket.resume(); // who does not read does not learn that the other side has gone
      });
      return start(server, 'http');
    },
    closedPort: async () => {
      const server = createTcpServer();
      const port = await listening(server);
      await closed(server);
      return port;
    },
    closeAll: async () => {
      for (const { server, sockets } of servers.splice(0)) {
        for (const socket of sockets) socket.destroy();
        await closed(server);
      }
    },
  };
};
