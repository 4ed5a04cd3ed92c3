import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { builtModule } from '../built/built-path.ts';
import { eventually } from '../eventually.ts';

const main = builtModule(new URL('../../../src/main.ts', import.meta.url));
const commandLine = (words: readonly string[]): string[] => [main, ...words];

/** Only the settings that a test gives, whatever the shell has. */
const environmentOf = (settings: Readonly<Record<string, string>>): NodeJS.ProcessEnv => ({
  PATH: process.env['PATH'],
  HOME: process.env['HOME'],
  LOG_LEVEL: 'error',
  ...settings,
});

export interface CommandOutcome {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs one command to its end. */
export const runRegistry = (
  words: readonly string[],
  settings: Readonly<Record<string, string>> = {},
  cwd?: string,
): CommandOutcome =>
  spawnSync(process.execPath, commandLine(words), {
    encoding: 'utf8',
    env: environmentOf(settings),
    ...(cwd && { cwd }),
  });

/** Begins a command that a test cuts off. */
export const beginRegistry = (
  words: readonly string[],
  settings: Readonly<Record<string, string>> = {},
): ChildProcess => spawn(process.execPath, commandLine(words), { env: environmentOf(settings), stdio: 'ignore' });

export interface ServedRegistry {
  readonly url: string;
  readonly port: number;
  readonly child: ChildProcess;
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** The exit code; null while it runs or when a signal ended it. */
  readonly exited: Promise<number | null>;
  readonly hasExited: () => boolean;
}

/** Starts `serve` on a free port and waits until it says that it is ready. */
export async function serveRegistry(
  dataDir: string,
  words: readonly string[] = [],
  settings: Readonly<Record<string, string>> = {},
): Promise<ServedRegistry> {
  const line = commandLine(['serve', '--port', '0', '--data', dataDir, ...words]);
  const child = spawn(process.execPath, line, { env: environmentOf(settings) });
  let stdout = '';
  let stderr = '';
  let hasExited = false;
  child.stdout.on('data', (chunk) => {
    stdout += String(chunk);
  });
  child.stderr.on('data', (chunk) => {
    stderr += String(chunk);
  });
  const exited = new Promise<number | null>((resolve) =>
    child.once('exit', (code) => {
      hasExited = true;
      resolve(code);
    }),
  );
  const address = () => /ready at (http:\/\/\S+:(\d+))\n/.exec(stdout);
  const isUp = () => {
    if (hasExited) throw new Error(`serve ended: ${stderr}`);
    return address() !== null;
  };
  await eventually('the service is ready', isUp, { withinMs: 60_000 });
  const [, url = '', port = ''] = address() ?? [];
  return {
    url,
    port: Number(port),
    child,
    stdout: () => stdout,
    stderr: () => stderr,
    exited,
    hasExited: () => hasExited,
  };
}
