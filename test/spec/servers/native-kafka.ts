import { execFile, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { realServer } from './real-servers.ts';

const run = promisify(execFile);
const stack = new URL('../../../ops/stack/', import.meta.url);
const script = fileURLToPath(new URL('kafka', stack));
const freePorts = fileURLToPath(new URL('free-ports', stack));

/** Only a broker of the native stack can be killed and started by a test; one in a container is left alone. */
export function hasNativeKafka(): boolean {
  const brokers = realServer('kafka');
  if (brokers === null) return false;
  const { stdout } = spawnSync(script, ['address'], { encoding: 'utf8' });
  if (spawnSync(script, ['status']).status === 0 && stdout.trim() === brokers) return true;
  process.stderr.write('\nSKIPPED: tests that kill Kafka, because it is not that of ops/stack/up.\n');
  return false;
}

/** A Kafka of the native stack that belongs to one test, which may stop and kill it. */
export interface NativeKafka {
  readonly brokers: string;
  readonly start: () => Promise<void>;
  readonly kill: () => Promise<void>;
  /** It holds its connections and answers nothing. */
  readonly freeze: () => Promise<void>;
  readonly thaw: () => Promise<void>;
  /** Stops it and forgets its data. */
  readonly wipe: () => Promise<void>;
}

export async function startNativeKafka(): Promise<NativeKafka> {
  const { stdout } = await run(freePorts);
  const ports = Object.fromEntries([...stdout.matchAll(/(KAFKA\w*)=(\d+)/g)].map(([, name, port]) => [name, port]));
  const env = { ...process.env, ...ports };
  const verb = async (name: string): Promise<string> => (await run(script, [name], { env })).stdout.trim();
  const brokers = await verb('start');
  const doing = (name: string) => async (): Promise<void> => {
    await verb(name);
  };
  const signal = (name: 'SIGSTOP' | 'SIGCONT') => async (): Promise<void> => {
    const [, pid] = /process (\d+)/.exec(await verb('status')) ?? [];
    process.kill(Number(pid), name);
  };
  return {
    brokers,
    start: doing('start'),
    kill: doing('kill'),
    freeze: signal('SIGSTOP'),
    thaw: signal('SIGCONT'),
    wipe: doing('wipe'),
  };
}
