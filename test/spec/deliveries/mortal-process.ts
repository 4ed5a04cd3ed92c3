import { freePort, type ServedProcess, serveProcess } from '../killed/served-process.ts';

/** `registry serve` on a port of its own, which may be killed and started again any number of times. */
export interface MortalProcess {
  readonly url: string;
  /** Resolves when it is ready. */
  readonly start: () => Promise<void>;
  readonly kill: () => Promise<void>;
  /** The exit code of a process that was asked to stop. */
  readonly stop: () => Promise<number | null>;
}

export async function createMortalProcess(
  dataDir: string,
  settings: Readonly<Record<string, string>>,
): Promise<MortalProcess> {
  const port = await freePort();
  let served: ServedProcess | null = null;
  const end = async (signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null> => {
    const code = (await served?.kill(signal)) ?? null;
    served = null;
    return code;
  };
  return {
    url: `http://127.0.0.1:${port}`,
    start: async () => {
      served = await serveProcess(dataDir, port, settings);
    },
    kill: async () => void (await end('SIGKILL')),
    stop: () => end('SIGTERM'),
  };
}
