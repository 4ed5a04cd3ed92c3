import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

// Measured is the compiled code, which is what serves: run from source, every function is wrapped to keep its name.
if (import.meta.url.endsWith('.ts')) {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const run = (args: readonly string[]): number =>
    spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' }).status ?? 1;
  const compiled = run(['node_modules/typescript/bin/tsc', '-p', 'ops/bench/tsconfig.json']);
  process.exitCode = compiled || run(['--expose-gc', '.bench/ops/bench/run.js', ...process.argv.slice(2)]);
} else {
  // So that what is started and written is cleared away, as at every exit.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  const { runBenches } = await import('./run-benches.ts');
  process.exitCode = await runBenches(process.argv.slice(2));
}
