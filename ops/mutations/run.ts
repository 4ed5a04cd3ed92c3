import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { allMistakes } from './all-mistakes.ts';
import { copyTree } from './copy-tree.ts';
import { runTests } from './run-tests.ts';
import { realServer } from '../../test/spec/servers/real-servers.ts';
import { tryMistake, type Verdict } from './try-mistake.ts';

// Tests that cannot fail are worth nothing: each deliberate mistake must be noticed by one of the tests it names.
const usage = 'npm run test:mutations [-- [--list] [part of a name …]]';
const unchangedTimeoutMs = 1_200_000;

const { values, positionals } = parseArgs({ options: { list: { type: 'boolean' } }, allowPositionals: true });
const named = allMistakes.filter(
  ({ name }) => positionals.length === 0 || positionals.some((part) => name.includes(part)),
);
const servers = new Set(named.flatMap(({ server }) => server ?? []));
const missing = new Set(values.list ? [] : [...servers].filter((server) => realServer(server) === null));
const chosen = named.filter(({ server }) => server === undefined || !missing.has(server));
const nameWidth = Math.max(0, ...chosen.map(({ name }) => name.length));
const row = (name: string, seconds: string, rest: string) =>
  console.log(`${name.padEnd(nameWidth)}  ${seconds.padStart(7)}  ${rest}`);

async function timed<Result>(work: () => Promise<Result>): Promise<{ result: Result; seconds: string }> {
  const startedMs = performance.now();
  const result = await work();
  return { result, seconds: ((performance.now() - startedMs) / 1_000).toFixed(1) };
}

/** Tests that fail without any mistake would notice each of them. */
async function areGreen(tree: string): Promise<boolean> {
  const files = [...new Set(chosen.flatMap(({ tests }) => tests))].sort();
  const { result, seconds } = await timed(() => runTests(tree, files, { timeoutMs: unchangedTimeoutMs, bail: 0 }));
  const { failed, timedOut, broken, isHung } = result;
  const why = [...failed, ...timedOut, broken ?? '', isHung ? 'not done in time' : ''].filter((line) => line !== '');
  const sentence =
    why.length === 0 ? `${files.length} test files pass` : `FAILED without any mistake: ${why.join('; ')}`;
  row('(unchanged)', `${seconds} s`, sentence);
  return why.length === 0;
}

async function runAll(): Promise<boolean> {
  const tree = copyTree(fileURLToPath(new URL('../..', import.meta.url)));
  process.once('exit', tree.remove);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  const verdicts: Verdict[] = [];
  for (const mistake of (await areGreen(tree.path)) ? chosen : []) {
    const { result, seconds } = await timed(() => tryMistake(tree.path, mistake));
    verdicts.push(result);
    row(
      mistake.name,
      `${seconds} s`,
      result.isNoticed ? `noticed by: ${result.sentence}` : `FAILED ${result.sentence}`,
    );
    if (!result.isNoticed) console.log(`  ${mistake.wrong}`);
  }
  const passed = verdicts.filter(({ isNoticed }) => isNoticed).length;
  console.log(`${passed} passed, ${chosen.length - passed} failed`);
  return passed === chosen.length;
}

if (chosen.length === 0) {
  console.error(`No mistake that can be made here has such a name. ${usage}`);
  process.exitCode = 1;
} else if (values.list) for (const { name, wrong } of chosen) row(name, '', wrong);
else process.exitCode = (await runAll()) ? 0 : 1;
