import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A way to a server that can be cut, closed, held and opened again. */
export interface TcpProxy {
  readonly port: number;
  /** Cuts all connections; new ones are taken. */
  readonly cut: () => void;
  /** Cuts all connections when so many more pieces have passed, to either side; the last of them is lost. */
  readonly cutAfter: (pieces: number) => void;
  /** Cuts all connections and takes no new ones. */
  readonly refuse: () => Promise<void>;
  /** Takes connections and bytes, and passes nothing on. */
  readonly hold: () => void;
  /** Works again as at first; what was held back is lost with its connections. */
  readonly resume: () => Promise<void>;
  readonly close: () => Promise<void>;
}

export async function startTcpProxy(target: { readonly host: string; readonly port: number }): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let isHeld = false;
  let piecesLeft = Number.POSITIVE_INFINITY;

  const cut = (): void => {
    piecesLeft = Number.POSITIVE_INFINITY;
    for (const socket of sockets) socket.destroy();
  };
  const join = (from: Socket, to: Socket): void => {
    sockets.add(from);
    from.on('data', (bytes) => {
      piecesLeft -= 1;
      if (piecesLeft <= 0) cut();
      else if (!isHeld) to.write(bytes);
    });
    from.on('error', () => from.destroy()); // a cut connection is what this is for
    from.on('close', () => {
      sockets.delete(from);
      to.destroy();
    });
  };
  const server = createServer((client) => {
    const upstream = connect(target);
    join(client, upstream);
    join(upstream, client);
  });

  const listen = async (port: number): Promise<number> => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  };
  const refuse = async (): Promise<void> => {
    if (!server.listening) return;
    server.close();
    cut();
    await once(server, 'close');
  };

  const port = await listen(0);
  return {
    port,
    cut,
    cutAfter: (pieces) => {
      piecesLeft = pieces;
    },
    refuse,
    hold: () => {
      isHeld = true;
    },
    resume: async () => {
      isHeld = false;
      cut();
      if (!server.listening) await listen(port);
    },
    close: refuse,
  };
}
