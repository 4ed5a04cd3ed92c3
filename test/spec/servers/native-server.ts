import { execFile, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { realServer } from './real-servers.ts';

const run = promisify(execFile);
const stack = new URL('../../../ops/stack/', import.meta.url);
const freePorts = fileURLToPath(new URL('free-ports', stack));

type NativeName = 'mongodb' | 'kafka' | 'opensearch';

/** The script that starts it, and does all else with it. */
export const stackScript = (name: NativeName): string => fileURLToPath(new URL(name, stack));

/** Only a server of the native stack can be killed and started by a test; one in a container is left alone. */
export function isNative(name: NativeName, title: string): boolean {
  const address = realServer(name);
  if (address === null) return false;
  const script = stackScript(name);
  const { stdout } = spawnSync(script, ['address'], { encoding: 'utf8' });
  if (spawnSync(script, ['status']).status === 0 && stdout.trim() === address) return true;
  process.stderr.write(`\nSKIPPED: tests that kill ${title}, because it is not that of ops/stack/up.\n`);
  return false;
}

/** A server of the native stack that belongs to one test, which may stop and kill it. */
export interface NativeServer {
  /** Where it answers, as `ops/stack` says it. */
  readonly address: string;
  readonly start: () => Promise<void>;
  readonly stop: () => Promise<void>;
  readonly kill: () => Promise<void>;
  /** It holds its connections and answers nothing. */
  readonly freeze: () => Promise<void>;
  readonly thaw: () => Promise<void>;
  /** Stops it and forgets its data. */
  readonly wipe: () => Promise<void>;
}

export async function startNativeServer(server: NativeName): Promise<NativeServer> {
  const { stdout } = await run(freePorts);
  const named = new RegExp(`(${server.toUpperCase()}\\w*)=(\\d+)`, 'g');
  const ports = Object.fromEntries([...stdout.matchAll(named)].map(([, name, port]) => [name, port]));
  const env = { ...process.env, ...ports };
  const script = stackScript(server);
  const verb = async (name: string): Promise<string> => (await run(script, [name], { env })).stdout.trim();
  const address = await verb('start');
  const doing = (name: string) => async (): Promise<void> => {
    await verb(name);
  };
  const signal = (name: 'SIGSTOP' | 'SIGCONT') => async (): Promise<void> => {
    const [, pid] = /process (\d+)/.exec(await verb('status')) ?? [];
    process.kill(Number(pid), name);
  };
  return {
    address,
    start: doing('start'),
    stop: doing('stop'),
    kill: doing('kill'),
    freeze: signal('SIGSTOP'),
    thaw: signal('SIGCONT'),
    wipe: doing('wipe'),
  };
}
