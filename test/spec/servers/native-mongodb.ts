import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { realServer } from './real-servers.ts';

const run = promisify(execFile);
const stack = new URL('../../../ops/stack/', import.meta.url);
const script = fileURLToPath(new URL('mongodb', stack));
const freePorts = fileURLToPath(new URL('free-ports', stack));

/** Only the native stack can be stopped and started by a test; a server in a container is left alone. */
export function hasNativeMongo(): boolean {
  if (realServer('mongodb') === null) return false;
  if (process.env['MONGOD_BINARY_FOR_TESTS'] !== undefined) return true;
  if (process.env['REQUIRE_REAL'] !== undefined)
    throw new Error('MONGOD_BINARY_FOR_TESTS is not set: see ops/stack/env.');
  process.stderr.write('\nSKIPPED: tests that stop MongoDB, because it is not that of ops/stack/up.\n');
  return false;
}

/** A MongoDB of the native stack that belongs to one test, which may stop and kill it. */
export interface NativeMongo {
  readonly url: string;
  readonly start: () => Promise<void>;
  readonly stop: () => Promise<void>;
  readonly kill: () => Promise<void>;
  /** It holds its connections and answers nothing. */
  readonly freeze: () => Promise<void>;
  readonly thaw: () => Promise<void>;
  /** Stops it and forgets its data. */
  readonly wipe: () => Promise<void>;
}

export async function startNativeMongo(): Promise<NativeMongo> {
  const { stdout } = await run(freePorts);
  const [, port] = /MONGODB_PORT=(\d+)/.exec(stdout) ?? [];
  const environment = { ...process.env, MONGODB_PORT: port };
  const verb = async (name: string): Promise<string> => (await run(script, [name], { env: environment })).stdout.trim();
  const url = await verb('start');
  const doing = (name: string) => async (): Promise<void> => {
    await verb(name);
  };
  const signal = (name: 'SIGSTOP' | 'SIGCONT') => async (): Promise<void> => {
    const [, pid] = /process (\d+)/.exec(await verb('status')) ?? [];
    process.kill(Number(pid), name);
  };
  return {
    url,
    start: doing('start'),
    stop: doing('stop'),
    kill: doing('kill'),
    freeze: signal('SIGSTOP'),
    thaw: signal('SIGCONT'),
    wipe: doing('wipe'),
  };
}
