import { spawnSync } from 'node:child_process';
import { root } from '../built/built-path.ts';

/** Whether the runtime of MiniLM can be loaded here; a machine that should have it says so with REQUIRE_REAL. */
export function hasMiniLm(): boolean {
  const { status } = spawnSync(process.execPath, ['--eval', "require('onnxruntime-node')"], { cwd: root });
  if (status === 0) return true;
  const why = 'onnxruntime-node cannot be loaded';
  if ((process.env['REQUIRE_REAL'] ?? '').split(',').includes('minilm')) {
    throw new Error(`REQUIRE_REAL names minilm, but ${why}.`);
  }
  process.stderr.write(`\nSKIPPED: the suites of MiniLM, because ${why} on this machine.\n`);
  return false;
}
