import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

const firstLineTimeoutMs = 120_000;
const endTimeoutMs = 15_000;

export interface BenchChild {
  readonly pid: number;
  readonly send: (line: string) => void;
  /** The first line that it prints. */
  readonly firstLine: Promise<string>;
  /** Its exit code; null when a signal ended it. */
  readonly exited: Promise<number | null>;
}

/** Only these settings, whatever the shell has. */
const environmentOf = (settings: Readonly<Record<string, string>>): NodeJS.ProcessEnv => ({
  PATH: process.env['PATH'],
  LOG_LEVEL: 'error',
  FETCH_SCHEDULE: 'off', // nobody outside this machine is ever asked
  ...settings,
});

async function firstLineOf(child: ChildProcess, exited: BenchChild['exited']): Promise<string> {
  const lines = createInterface(child.stdout!);
  const failed = exited.then((code): never => {
    throw new Error(`a process of the bench ended with ${code} before it said anything`);
  });
  const said = once(lines, 'line', { signal: AbortSignal.timeout(firstLineTimeoutMs) });
  return String((await Promise.race([said, failed]))[0]);
}

async function end(child: ChildProcess, exited: BenchChild['exited']): Promise<void> {
  const kill = setTimeout(() => child.kill('SIGKILL'), endTimeoutMs);
  child.kill('SIGTERM'); // does nothing where it has ended already
  await exited;
  clearTimeout(kill);
}

/** A process that runs until it is ended. */
export interface StartedChild extends BenchChild {
  /** What it has said on its error output. */
  readonly errors: () => string;
  readonly end: () => Promise<void>;
  readonly kill: () => Promise<void>;
}

export async function startChild(
  args: readonly string[],
  settings: Readonly<Record<string, string>>,
): Promise<StartedChild> {
  const child = spawn(process.execPath, args, { env: environmentOf(settings), stdio: 'pipe' });
  let errors = '';
  child.stderr.on('data', (chunk) => {
    errors += String(chunk);
  });
  const kill = () => void child.kill('SIGKILL');
  process.once('exit', kill); // also when the bench fails outside of the work
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  void exited.then(() => process.off('exit', kill));
  const firstLine = firstLineOf(child, exited);
  firstLine.catch(() => undefined); // it matters only to those who wait for it
  await once(child, 'spawn');
  return {
    pid: child.pid!,
    send: (line) => void child.stdin.write(`${line}\n`),
    firstLine,
    exited,
    errors: () => errors,
    end: () => end(child, exited),
    kill: async () => {
      kill();
      await exited;
    },
  };
}

/** Runs Node with these arguments beside the work; when the work is over, so is the process. */
export async function withChild<Result>(
  args: readonly string[],
  settings: Readonly<Record<string, string>>,
  work: (child: BenchChild) => Promise<Result>,
): Promise<Result> {
  const child = await startChild(args, settings);
  try {
    return await work(child);
  } catch (error) {
    process.stderr.write(child.errors());
    throw error;
  } finally {
    await child.end();
  }
}
