import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { programPath } from '../built/built-path.ts';
import { eventually } from '../eventually.ts';
import { wideLimitSettings } from '../processes/wide-limits.ts';

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

const answerMs = 30_000;
const endMs = 60_000;

/** Which of its checks fail; null while nobody listens. */
export async function failingChecks(url: string): Promise<string[] | null> {
  try {
    const response = await fetch(`${url}/health/ready`, { signal: AbortSignal.timeout(answerMs) });
    if (response.status === 200) return [];
    const { error } = (await response.json()) as { error: { details: { checks: Record<string, string> } } };
    return Object.entries(error.details.checks).flatMap(([name, state]) => (state === 'ok' ? [] : [name]));
  } catch (error) {
    if (error instanceof DOMException) throw error; // it listens and says nothing
    return null; // it does not listen yet
  }
}

/** The servers that it says to be away; it may have other reasons not to be ready beside them. */
export async function unreachableServers(url: string): Promise<readonly string[]> {
  const response = await fetch(`${url}/health/ready`, { signal: AbortSignal.timeout(answerMs) });
  const { error } = (await response.json()) as { error?: { details?: { unreachable?: string[] } } };
  return (response.status === 503 && error?.details?.unreachable) || [];
}

/** False also while nobody listens. */
export const isReady = async (url: string): Promise<boolean> => (await failingChecks(url))?.length === 0;

/** `registry serve` as a process of its own, ready to answer unless something else is waited for. */
export async function serveProcess(
  dataDir: string,
  port: number,
  settings: Readonly<Record<string, string>> = {},
  isStarted = isReady,
): Promise<ServedProcess> {
  const child: ChildProcess = spawn(
    process.execPath,
    [programPath, 'serve', '--data', dataDir, '--port', String(port), '--host', '127.0.0.1', '--no-demo'],
    {
      env: {
        PATH: process.env['PATH'],
        ROOT_API_KEY: rootApiKey,
        LOG_LEVEL: 'error',
        FETCH_SCHEDULE: 'off', // nobody outside this machine is ever asked
        EMBEDDER: 'off',
        ...wideLimitSettings,
        ...settings,
      },
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  const exited = once(child, 'exit') as Promise<[number | null]>;
  const url = `http://127.0.0.1:${port}`;
  const isUp = () => {
    if (child.exitCode !== null) throw new Error(`serve ended with ${child.exitCode}`);
    return isStarted(url);
  };
  await eventually('the service is ready', isUp, { withinMs: 60_000, everyMs: 25 }).catch((error: unknown) => {
    child.kill('SIGKILL');
    throw error;
  });
  return {
    url,
    kill: async (signal) => {
      child.kill(signal);
      const timer = setTimeout(() => child.kill('SIGABRT'), endMs);
      const [code] = await exited;
      clearTimeout(timer);
      return code;
    },
  };
}
