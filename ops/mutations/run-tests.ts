import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type JudgedOutcomes, judgeOutcomes, type TestOutcomes } from './test-outcomes.ts';

export interface TestRun extends JudgedOutcomes {
  /** The whole run had to be ended. */
  readonly isHung: boolean;
}

/** The projects on the embedded stores; the others run some of their files once more. */
const projects = ['unit', 'contract', 'service', 'system', 'kills'].flatMap((name) => ['--project', name]);
const reporter = fileURLToPath(new URL('./outcome-reporter.ts', import.meta.url));

const nothing = { failed: [], timedOut: [], broken: null };

/** Runs test files of a tree with vitest, in a group of processes of its own, of which none is left behind. */
export async function runTests(
  tree: string,
  files: readonly string[],
  { timeoutMs, bail }: { readonly timeoutMs: number; readonly bail: number },
): Promise<TestRun> {
  const outcomesFile = join(tree, 'outcomes.json');
  rmSync(outcomesFile, { force: true });
  const vitest = join(tree, 'node_modules/vitest/vitest.mjs');
  const child = spawn(
    process.execPath,
    [vitest, 'run', ...projects, `--bail=${bail}`, `--reporter=${reporter}`, ...files],
    {
      cwd: tree,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, OUTCOMES_FILE: outcomesFile },
    },
  );
  const end = () => {
    try {
      process.kill(-child.pid!, 'SIGKILL');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error; // all of them have ended
    }
  };
  process.once('exit', end);
  let output = '';
  const keepEnd = (chunk: Buffer) => {
    output = (output + chunk.toString()).slice(-2_000);
  };
  child.stdout.on('data', keepEnd);
  child.stderr.on('data', keepEnd);
  let isHung = false;
  const timer = setTimeout(() => {
    isHung = true;
    end();
  }, timeoutMs);
  await new Promise((resolve, reject) => child.once('exit', resolve).once('error', reject));
  clearTimeout(timer);
  process.off('exit', end);
  end();
  if (isHung) return { ...nothing, isHung };
  if (!existsSync(outcomesFile)) return { ...nothing, broken: `vitest did not run: ${output}`, isHung };
  return { ...judgeOutcomes(JSON.parse(readFileSync(outcomesFile, 'utf8')) as TestOutcomes), isHung };
}
