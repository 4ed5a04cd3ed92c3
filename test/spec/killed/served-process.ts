import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { builtModule } from '../built/built-path.ts';
import { eventually } from '../eventually.ts';

const program = builtModule(new URL('../../../src/main.ts', import.meta.url));

export const rootApiKey = 'root-key-of-the-kill-test';

export interface ServedProcess {
  readonly url: string;
  readonly kill: (signal: 'SIGKILL' | 'SIGTERM') => Promise<number | null>;
}

/** A port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as { port: number };
  probe.close();
  await once(probe, 'close');
  return port;
}

/** False also while nobody listens. */
export const isReady = async (url: string): Promise<boolean> => {
  try {
    return (await fetch(`${url}/health/ready`)).status === 200;
  } catch {
    return false; // it does not listen yet
  }
};

/** `registry serve` as a process of its own, ready to answer. */
export async function serveProcess(
  dataDir: string,
  port: number,
  settings: Readonly<Record<string, string>> = {},
): Promise<ServedProcess> {
  const child: ChildProcess = spawn(
    process.execPath,
    [program, 'serve', '--data', dataDir, '--port', String(port), '--host', '127.0.0.1', '--no-demo'],
    {
      env: {
        PATH: process.env['PATH'],
        ROOT_API_KEY: rootApiKey,
        LOG_LEVEL: 'error',
        FETCH_SCHEDULE: 'off', // nobody outside this machine is ever asked
        ...settings,
      },
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  const exited = once(child, 'exit') as Promise<[number | null]>;
  const url = `http://127.0.0.1:${port}`;
  const isUp = () => {
    if (child.exitCode !== null) throw new Error(`serve ended with ${child.exitCode}`);
    return isReady(url);
  };
  await eventually('the service is ready', isUp, { withinMs: 60_000, everyMs: 25 }).catch((error: unknown) => {
    child.kill('SIGKILL');
    throw error;
  });
  return {
    url,
    kill: async (signal) => {
      child.kill(signal);
      const [code] = await exited;
      return code;
    },
  };
}
