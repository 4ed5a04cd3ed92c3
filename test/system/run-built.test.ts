import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, readdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { eventually } from '../spec/eventually.ts';
import { createTempFolder } from '../spec/temp-folder.ts';

const folder = createTempFolder();
const inFolder = (name: string): string => join(folder.path, name);
const fromProject = (name: string): string => fileURLToPath(new URL(`../../${name}`, import.meta.url));

afterAll(() => folder.remove());

/** A project as small as can be, with what `npm start` runs. */
function layOut(): void {
  for (const name of ['src', 'commands', 'projections', 'queries', 'ops']) mkdirSync(inFolder(name));
  for (const name of ['ops/build.mjs', 'ops/run-built.mjs']) copyFileSync(fromProject(name), inFolder(name));
  symlinkSync(fromProject('node_modules'), inFolder('node_modules'));
  writeFileSync(inFolder('package.json'), '{ "type": "module" }');
  writeFileSync(inFolder('package-lock.json'), '{}');
  writeFileSync(inFolder('src/said.ts'), "export const said = 'one';\n");
  writeFileSync(inFolder('src/main.ts'), "import { said } from './said.ts';\nconsole.log(said);\n");
}

const begin = () => spawn(process.execPath, [inFolder('ops/run-built.mjs')], { stdio: ['ignore', 'pipe', 'inherit'] });

async function run(): Promise<string> {
  const child = begin();
  let said = '';
  child.stdout.on('data', (bytes: Buffer) => (said += bytes.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  expect(code).toBe(0);
  return said.trim();
}

const built = () => readdirSync(folder.path).filter((name) => name.startsWith('dist'));

it('builds once for all who start at once, also after one that was killed while it built', async () => {
  layOut();
  const killed = begin();
  await eventually('it builds', () => existsSync(inFolder('dist.lock')));
  killed.kill('SIGKILL');
  await once(killed, 'exit');

  expect(await Promise.all([run(), run()])).toEqual(['one', 'one']);
  expect(built()).toContain('dist'); // the compiler of the killed one may only just have ended, beside it

  writeFileSync(inFolder('src/said.ts'), "export const said = 'two';\n");
  const later = new Date(Date.now() + 1_000);
  utimesSync(inFolder('src/said.ts'), later, later);
  expect(await run()).toBe('two');
  expect(built()).toEqual(['dist']);
});
