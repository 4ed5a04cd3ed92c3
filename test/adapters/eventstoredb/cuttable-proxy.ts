import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface CuttableProxy {
  /** The same address with this proxy as the host. */
  readonly url: string;
  readonly cut: () => void;
  readonly close: () => Promise<void>;
}

const hostPattern = /^(esdb:\/\/(?:[^@]+@)?)([^:/?,@]+)(?::(\d+))?(?=[/?]|$)/;

/** Stands before a server that is not ours, so that its connections can be cut. */
export async function startCuttableProxy(url: string): Promise<CuttableProxy> {
  const [matched, before = '', host = '', port = '2113'] = hostPattern.exec(url) ?? [];
  if (matched === undefined) throw new Error('The tests need one server: esdb://host:port');
  const sockets = new Set<Socket>();
  const track = (socket: Socket): Socket => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
    return socket;
  };
  const server = createServer((near) => {
    const far = track(connect(Number(port), host));
    track(near).pipe(far).pipe(near);
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `${before}127.0.0.1:${(server.address() as AddressInfo).port}${url.slice(matched.length)}`,
    cut,
    close: async () => {
      cut();
      server.close();
      await once(server, 'close');
    },
  };
}
