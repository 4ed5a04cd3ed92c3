import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Mistake, withMistake } from './mistake.ts';
import { runTests } from './run-tests.ts';

/** Whether the tests did their work, and the test that noticed or the reason why none did. */
export interface Verdict {
  readonly isNoticed: boolean;
  readonly sentence: string;
}

/** Longer than any of the files takes on a slow machine. */
const timeoutMs = 180_000;

const firstLine = (text: string): string => text.trim().split('\n')[0] ?? '';

/** Makes the mistake in the tree, runs its tests and puts the text back. */
export async function tryMistake(tree: string, mistake: Mistake): Promise<Verdict> {
  const file = join(tree, mistake.file);
  const source = readFileSync(file, 'utf8');
  writeFileSync(file, withMistake(mistake, source));
  try {
    const { failed, timedOut, broken, isHung } = await runTests(tree, mistake.tests, { timeoutMs, bail: 1 });
    const not = (sentence: string): Verdict => ({ isNoticed: false, sentence });
    if (isHung) return not(`unnoticed: the tests were not done after ${timeoutMs / 1_000} s`);
    if (broken !== null) return not(`the mistake itself is wrong: ${firstLine(broken)}`);
    if (failed[0] !== undefined) return { isNoticed: true, sentence: failed[0] };
    return not(timedOut[0] === undefined ? 'unnoticed' : `unnoticed: only its time ended "${timedOut[0]}"`);
  } finally {
    writeFileSync(file, source);
  }
}
