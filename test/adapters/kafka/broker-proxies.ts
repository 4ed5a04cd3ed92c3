import { connect, type Socket } from 'node:net';
import { startTcpProxy, type TcpProxy } from '../../spec/servers/tcp-proxy.ts';

export interface BrokerProxies extends Omit<TcpProxy, 'port'> {
  /** For the option of that name: brokers tell clients their own addresses, so that these must be led to the proxies. */
  readonly connect: (address: { readonly host: string; readonly port: number }) => Socket;
}

/** A proxy before each broker of the list, all used alike. */
export async function startBrokerProxies(brokers: string): Promise<BrokerProxies> {
  const proxies = new Map<string, TcpProxy>();
  for (const broker of brokers.split(',')) {
    const [host = '', port] = broker.split(':');
    proxies.set(broker, await startTcpProxy({ host, port: Number(port) }));
  }
  const each = (use: (proxy: TcpProxy) => void) => [...proxies.values()].forEach(use);
  const all = async (use: (proxy: TcpProxy) => Promise<void>) => {
    await Promise.all([...proxies.values()].map(use));
  };
  return {
    connect: ({ host, port }) => {
      const proxy = proxies.get(`${host}:${port}`);
      if (proxy === undefined) throw new Error(`The brokers name ${host}:${port}, which is not in ${brokers}.`);
      return connect(proxy.port, '127.0.0.1');
    },
    cut: () => each((proxy) => proxy.cut()),
    cutAfter: (pieces) => each((proxy) => proxy.cutAfter(pieces)),
    refuse: () => all((proxy) => proxy.refuse()),
    hold: () => each((proxy) => proxy.hold()),
    resume: () => all((proxy) => proxy.resume()),
    close: () => all((proxy) => proxy.close()),
  };
}
