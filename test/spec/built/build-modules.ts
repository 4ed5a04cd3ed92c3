import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { transform } from 'esbuild';
import { globSync } from 'tinyglobby';
import { builtPath, root } from './built-path.ts';

/** The compiler leaves the names of files alone, and Node takes no module that ends in .ts. */
const withBuiltNames = (code: string): string =>
  code.replace(/\b(from |import |import\()("\.{1,2}\/[^"\n]+)\.ts"/g, '$1$2.js"');

async function buildModule(source: string): Promise<void> {
  const built = builtPath(source);
  const { mtime, mtimeMs } = statSync(source);
  // What was built has the time of its source, so an older file that comes back is seen too.
  if (statSync(built, { throwIfNoEntry: false })?.mtimeMs === mtimeMs) return;
  const text = readFileSync(source, 'utf8');
  const { code } = await transform(text, {
    loader: source.endsWith('.ts') ? 'ts' : 'js',
    format: 'esm',
    target: 'node20',
    sourcefile: source,
    sourcemap: 'inline',
    sourcesContent: false,
    tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
  });
  mkdirSync(dirname(built), { recursive: true });
  writeFileSync(built, withBuiltNames(code));
  utimesSync(built, mtime, mtime);
}

/**
 * Turns every module that changed into one that Node loads by itself, without a look at its types. The threads and
 * processes of a test start from these in a fraction of the time that loading TypeScript takes.
 */
export async function setup(): Promise<void> {
  execFileSync(process.execPath, [join(root, 'ops/build.mjs')], { stdio: 'inherit' }); // for tests of the whole program
  const modules = globSync('{src,commands,projections,queries,test}/**/*.{ts,mjs}', { cwd: root });
  await Promise.all(modules.map((name) => buildModule(join(root, name))));
}
