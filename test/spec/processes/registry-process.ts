import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { builtModule, programPath } from '../built/built-path.ts';
import { eventually } from '../eventually.ts';
import { wideLimitSettings } from './wide-limits.ts';

/** Of single modules, so that what a test loads into it beforehand finds those that it changes. */
const looseProgram = builtModule(new URL('../../../src/main.ts', import.meta.url));

const commandLine = (words: readonly string[], settings: Readonly<Record<string, string>>): string[] => [
  'NODE_OPTIONS' in settings ? looseProgram : programPath,
  ...words,
];

/** Only the settings that a test gives, whatever the shell has. */
const environmentOf = (settings: Readonly<Record<string, string>>): NodeJS.ProcessEnv => ({
  PATH: process.env['PATH'],
  HOME: process.env['HOME'],
  LOG_LEVEL: 'error',
  FETCH_SCHEDULE: 'off', // nobody outside this machine is ever asked
  EMBEDDER: 'off', // a process of its own, for each that is started here
  ...wideLimitSettings,
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
  spawnSync(process.execPath, commandLine(words, settings), {
    encoding: 'utf8',
    env: environmentOf(settings),
    ...(cwd && { cwd }),
  });

/** The same beside this process, which may have to answer it meanwhile. */
export const runRegistryBeside = (
  words: readonly string[],
  settings: Readonly<Record<string, string>> = {},
): Promise<CommandOutcome> =>
  new Promise((resolve) => {
    execFile(
      process.execPath,
      commandLine(words, settings),
      { env: environmentOf(settings) },
      (error, stdout, stderr) => {
        resolve({ status: error === null ? 0 : Number(error.code), stdout, stderr });
      },
    );
  });

/** Begins a command that a test cuts off. */
export const beginRegistry = (
  words: readonly string[],
  settings: Readonly<Record<string, string>> = {},
): ChildProcess =>
  spawn(process.execPath, commandLine(words, settings), { env: environmentOf(settings), stdio: 'ignore' });

/** A `serve` that was begun; it may be ready or not. */
export interface LaunchedRegistry {
  readonly child: ChildProcess;
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** The exit code; null while it runs or when a signal ended it. */
  readonly exited: Promise<number | null>;
  readonly hasExited: () => boolean;
}

export interface ServedRegistry extends LaunchedRegistry {
  readonly url: string;
  readonly port: number;
}

/** Starts `serve` on a free port. */
export function launchRegistry(
  dataDir: string,
  words: readonly string[] = [],
  settings: Readonly<Record<string, string>> = {},
): LaunchedRegistry {
  const line = commandLine(['serve', '--port', '0', '--data', dataDir, ...words], settings);
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
  return { child, stdout: () => stdout, stderr: () => stderr, exited, hasExited: () => hasExited };
}

/** Waits until it says that it is ready. */
export async function untilServed(launched: LaunchedRegistry): Promise<ServedRegistry> {
  const address = () => /ready at (http:\/\/\S+:(\d+))\n/.exec(launched.stdout());
  const isUp = () => {
    if (launched.hasExited()) throw new Error(`serve ended: ${launched.stderr()}`);
    return address() !== null;
  };
  await eventually('the service is ready', isUp, { withinMs: 60_000 });
  const [, url = '', port = ''] = address() ?? [];
  return { ...launched, url, port: Number(port) };
}

/** Starts `serve` on a free port and waits until it says that it is ready. */
export const serveRegistry = (...start: Parameters<typeof launchRegistry>): Promise<ServedRegistry> =>
  untilServed(launchRegistry(...start));

/** Stops it in order; a process that ends otherwise tells how, and what it said. */
export async function stopRegistry({ child, exited, stderr }: LaunchedRegistry): Promise<void> {
  child.kill('SIGTERM');
  const code = await exited;
  if (code !== 0) throw new Error(`serve ended with ${code ?? child.signalCode}: ${stderr()}`);
}
