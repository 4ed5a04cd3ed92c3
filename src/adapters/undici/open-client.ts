import { isIP, type LookupFunction } from 'node:net';
import buildConnector from 'undici/lib/core/connect.js';
import Client from 'undici/lib/dispatcher/client.js';

// Shorter than the idle time of common servers, whose closing of a connection would else cross a request on its way.
const idleMs = 4_000;
// Also for servers that offer more.
const idleMsMax = 30_000;
// Bounds what a receiver that never accepts can hold after its request has timed out.
const connectTimeoutMs = 10_000;
// Node's own 250 ms gives up on addresses that are merely far away.
const nextAddressAfterMs = 1_000;

/** The name is not asked again: it could say something else by now than when its addresses were checked. */
const lookupAmong = (addresses: readonly string[]): LookupFunction => {
  const found = addresses.map((address) => ({ address, family: isIP(address) }));
  const [first] = found;
  return (_name, { all }, callback) => {
    if (all) process.nextTick(callback, null, found);
    else process.nextTick(callback, null, first?.address, first?.family);
  };
};

export interface Destination {
  readonly origin: string;
  /** Where else than to the addresses of its name the connections go. */
  readonly addresses: readonly string[] | undefined;
  /** Cuts all connections, also those that are only being opened. */
  readonly signal: AbortSignal;
}

/** Opens connections, which share the TLS sessions. */
export const clientOpener = ({ origin, addresses, signal }: Destination): (() => Client) => {
  const connect = buildConnector({
    signal,
    timeout: connectTimeoutMs,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: nextAddressAfterMs,
    ...(addresses && { lookup: lookupAmong(addresses) }),
  });
  return () =>
    new Client(origin, {
      connect,
      pipelining: 1,
      keepAliveTimeout: idleMs,
      keepAliveMaxTimeout: idleMsMax,
      // One time-out spans the whole exchange; these would only end parts of it.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
};
