import { startNativeServer } from './native-server.ts';
import { realServer } from './real-servers.ts';

/** Only the native stack can be stopped and started by a test; a server in a container is left alone. */
export function hasNativeMongo(): boolean {
  if (realServer('mongodb') === null) return false;
  if (process.env['MONGOD_BINARY_FOR_TESTS'] !== undefined) return true;
  if (process.env['REQUIRE_REAL'] !== undefined)
    throw new Error('MONGOD_BINARY_FOR_TESTS is not set: see ops/stack/env.');
  process.stderr.write('\nSKIPPED: tests that stop MongoDB, because it is not that of ops/stack/up.\n');
  return false;
}

export async function startNativeMongo() {
  const { address, ...server } = await startNativeServer('mongodb');
  return { ...server, url: address };
}

export type NativeMongo = Awaited<ReturnType<typeof startNativeMongo>>;
