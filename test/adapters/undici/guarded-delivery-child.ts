import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import tls, { type ConnectionOptions } from 'node:tls';
import { systemClock } from '../../../src/adapters/system/clock.ts';
import { createHttpClient } from '../../../src/adapters/undici/http-client.ts';
import { createTargetGuard } from '../../../src/delivery/target-guard.ts';
import { createMakeAttempt } from '../../../src/runtime/deliverer/make-attempt.ts';
import { createKeptLog } from '../../spec/kept-log.ts';

// Makes one attempt for each URL, as the deliverer does, and prints for each how it ended and which addresses a
// connection was to go to. This machine stands for those addresses: it is the network that differs, not our code.

let dialled: string[] = [];

const detour =
  (lookup: LookupFunction): LookupFunction =>
  (name, options, callback) =>
    lookup(name, options, (error, found) => {
      dialled.push(...(found as LookupAddress[]).map(({ address }) => address));
      callback(error, [{ address: '127.0.0.1', family: 4 }]);
    });

const { connect } = tls;
Object.assign(tls, {
  connect: (options: ConnectionOptions): tls.TLSSocket => {
    if (options.lookup === undefined) throw new Error('the connection is not bound to addresses');
    return connect({ ...options, lookup: detour(options.lookup) });
  },
});

const hosts: Readonly<Record<string, readonly string[]>> = {
  'hooks.example.com': ['93.184.216.34', '2606:2800:220:1::1'],
  'other.example.com': ['93.184.216.34'],
  'inside.example.com': ['93.184.216.34', '127.0.0.1'],
};

const http = createHttpClient();
const makeAttempt = createMakeAttempt({
  http,
  targets: createTargetGuard({ resolver: { addresses: async (name) => hosts[name] ?? [] }, allowPrivate: false }),
  clock: systemClock,
  log: createKeptLog(),
});
for (const url of process.argv.slice(2)) {
  dialled = [];
  const signingKey = new Uint8Array(32);
  const { result } = await makeAttempt({ eventId: 'evt_a', webhookId: 'whk_a', url, signingKey, body: '{}' });
  process.stdout.write(`${JSON.stringify({ result, dialled })}\n`);
}
await http.close();
