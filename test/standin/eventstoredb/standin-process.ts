import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { builtModule } from '../../spec/built/built-path.ts';
import type { StandinCommand, StandinStats } from './standin-command.ts';

export interface StandinOptions {
  /** Position of the first event of a new store. */
  readonly startPosition?: number | bigint;
  /** Kept over restarts; without it a restarted stand-in is empty. */
  readonly dataFile?: string;
  readonly port?: number;
  /** Offered unless it is false. */
  readonly batchAppend?: boolean;
  readonly appendBytesMax?: number;
  /** After so long the server gives up waiting for its own commit. */
  readonly commitTimeoutMs?: number;
  /** A cluster of so many, of which the first leads; it cannot be restarted. */
  readonly nodes?: number;
  /** TLS and a user of this name; without it everybody is let in. */
  readonly security?: StandinSecurity;
}

export interface StandinSecurity {
  /** PEM. It is its own authority, of `localhost`. */
  readonly certificateFile: string;
  readonly keyFile: string;
  readonly username: string;
  readonly password: string;
}

function connectionString(ports: readonly number[], security: StandinSecurity | undefined): string {
  if (!security) return `esdb://${ports.map((port) => `127.0.0.1:${port}`).join()}?tls=false`;
  const user = [security.username, security.password].map(encodeURIComponent).join(':');
  return `esdb://${user}@${ports.map((port) => `localhost:${port}`).join()}?tls=true&tlsCAFile=${security.certificateFile}`;
}

/** An EventStoreDB stand-in that runs as a process of its own. */
export interface Standin {
  /** `esdb://127.0.0.1:<port>?tls=false`, with all nodes of a cluster, or with user, password and TLS. */
  readonly url: string;
  /** Of the first node. */
  readonly port: number;
  readonly ports: readonly number[];
  readonly control: (command: StandinCommand) => Promise<unknown>;
  /** Of the first node when none is named. */
  readonly stats: (node?: number) => Promise<StandinStats>;
  /** SIGKILL, then a new process on the same port with the same data file. */
  readonly restart: () => Promise<void>;
  /** SIGKILL, or nothing if it is not running; `restart` brings it back. */
  readonly kill: () => Promise<void>;
  readonly freeze: () => void;
  readonly thaw: () => void;
  readonly close: () => Promise<void>;
}

const entry = new URL('./standin-child.ts', import.meta.url);
// Only what a test runner has started can count on what was built before.
const program = 'VITEST' in process.env ? [builtModule(entry)] : ['--import', 'tsx', fileURLToPath(entry)];

interface Running {
  readonly child: ChildProcess;
  readonly ports: readonly number[];
  readonly controlPort: number;
}

export const startStandin = async (options: StandinOptions = {}): Promise<Standin> => {
  let running = await start(options, options.port ?? 0);
  const { ports } = running;
  const [port = 0] = ports;
  const kill = async (): Promise<void> => {
    const { child } = running;
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  };
  const control = async (command: StandinCommand): Promise<unknown> => {
    const response = await fetch(`http://127.0.0.1:${running.controlPort}`, {
      method: 'POST',
      body: JSON.stringify(command),
    });
    if (!response.ok) throw new Error(`EventStoreDB stand-in refused a command: ${await response.text()}`);
    return response.json();
  };
  return {
    url: connectionString(ports, options.security),
    port,
    ports,
    control,
    stats: async (node = 0) => (await control({ command: 'stats', node })) as StandinStats,
    restart: async () => {
      await kill();
      running = await start(options, port);
    },
    kill,
    freeze: () => {
      running.child.kill('SIGSTOP');
    },
    thaw: () => {
      running.child.kill('SIGCONT');
    },
    close: kill,
  };
};

async function start(options: StandinOptions, port: number): Promise<Running> {
  const words = ['--port', String(port)];
  if (options.startPosition !== undefined) words.push('--start-position', String(options.startPosition));
  if (options.batchAppend === false) words.push('--batch-append', 'off');
  if (options.appendBytesMax !== undefined) words.push('--append-bytes-max', String(options.appendBytesMax));
  if (options.commitTimeoutMs !== undefined) words.push('--commit-timeout-ms', String(options.commitTimeoutMs));
  if (options.nodes !== undefined) words.push('--nodes', String(options.nodes));
  if (options.security !== undefined) {
    const { certificateFile, keyFile, username, password } = options.security;
    words.push('--certificate', certificateFile, '--key', keyFile, '--user', username, '--password', password);
  }
  if (options.dataFile !== undefined) words.push('--data', options.dataFile);
  const child = spawn(process.execPath, [...program, ...words], {
    // Test runners set variables that change how Node starts.
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'] },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`EventStoreDB stand-in ended with ${code} before it was ready`)));
    createInterface(child.stdout).once('line', (line) => {
      resolve({ child, ...(JSON.parse(line) as Omit<Running, 'child'>) });
    });
  });
}
