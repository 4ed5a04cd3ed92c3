// Builds what changed since the last build, then runs the command line in this very process. package.json runs it with
// exec, so that a signal to `npm start` reaches the service; a start without changes does not wait for the compiler.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const path = (name) => fileURLToPath(new URL(`../${name}`, import.meta.url));

const sources = ['src', 'commands', 'projections', 'queries', 'tsconfig.json', 'tsconfig.build.json'];
const stamp = path('dist/built');

function isNewer(name, sinceMs) {
  const stats = statSync(path(name));
  if (stats.mtimeMs > sinceMs) return true; // of a folder: something was added or removed
  return stats.isDirectory() && readdirSync(path(name)).some((child) => isNewer(`${name}/${child}`, sinceMs));
}

function build() {
  const compiler = path('node_modules/typescript/bin/tsc');
  if (!existsSync(compiler)) {
    console.error('The compiler is not installed; run npm ci first.');
    process.exit(1);
  }
  console.error('Building …');
  const begun = new Date();
  // Standard output belongs to what the command answers.
  const { status } = spawnSync(process.execPath, [compiler, '-p', path('tsconfig.build.json')], {
    stdio: ['ignore', 2, 2],
  });
  if (status !== 0) process.exit(status ?? 1);
  writeFileSync(stamp, '');
  utimesSync(stamp, begun, begun); // what is saved while the compiler runs is newer than this build
}

const builtMs = existsSync(stamp) ? statSync(stamp).mtimeMs : 0;
if (sources.some((name) => isNewer(name, builtMs))) build();
await import('../dist/src/main.js');
