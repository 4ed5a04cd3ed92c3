import { isIP } from 'node:net';
import { type HttpClient, HttpFailure } from '../../ports/http-client.ts';
import { type Exchange, startExchange } from './exchange.ts';
import { createOrigins } from './origins.ts';

/** The connection to an address is not asked where it goes, so an address that was not checked must not get that far. */
const assertChecked = (hostname: string, connectTo: readonly string[]): void => {
  if (connectTo.length === 0) throw new HttpFailure('dns', new Error('there is no address to connect to'));
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIP(host) !== 0 && !connectTo.includes(host)) throw new Error(`${host} is none of the checked addresses`);
};

/** Over HTTP/1.1 with kept connections; asks no proxy, follows no redirect, tries nothing twice. */
export const createHttpClient = (): HttpClient => {
  const origins = createOrigins();
  const underWay = new Set<Exchange>();
  let isClosed = false;

  return {
    send: async ({ method, url, headers, body, connectTo, timeoutMs, bodyBytesMax }) => {
      if (isClosed) throw new HttpFailure('network', new Error('the client is closed'));
      const { origin, hostname, pathname, search } = new URL(url);
      if (connectTo !== undefined) assertChecked(hostname, connectTo);
      const exchange = startExchange(
        origins.connectionsTo(origin, connectTo),
        { method, path: pathname + search, headers, body: body ?? null },
        { timeoutMs, bodyBytesMax },
      );
      underWay.add(exchange);
      try {
        return await exchange.response;
      } finally {
        underWay.delete(exchange);
      }
    },
    close: async () => {
      isClosed = true;
      // The last ones first, so that none who waits gets the connection of one that has just ended.
      for (const { fail } of [...underWay].reverse())
        fail(new HttpFailure('network', new Error('the client was closed')));
      origins.cut();
    },
  };
};
