// Builds what changed since the last build, then runs the command line in this very process. package.json runs it with
// exec, so that a signal to `npm start` reaches the service; a start without changes does not wait for the compiler.
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { fileURLToPath } from 'node:url';

const path = (name) => fileURLToPath(new URL(`../${name}`, import.meta.url));

const sources = ['src', 'commands', 'projections', 'queries', 'tsconfig.json', 'tsconfig.build.json'];
const built = path('dist');
const stamp = path('dist/built');
const lock = path('dist.lock');
/** A compiler outlives whoever started it and was killed, so each writes into a folder of its own. */
const building = path(`dist.${process.pid}`);

function isNewer(name, sinceMs) {
  const stats = statSync(path(name));
  if (stats.mtimeMs > sinceMs) return true; // of a folder: something was added or removed
  return stats.isDirectory() && readdirSync(path(name)).some((child) => isNewer(`${name}/${child}`, sinceMs));
}

const remove = (name) => rmSync(name, { recursive: true, force: true });

/** The folders of compilers whose starter was killed. */
const leftOver = () => readdirSync(path('.')).filter((name) => /^dist\.(\d+|old)$/.test(name));

/** Answers the exit code of the compiler. */
function build() {
  const compiler = path('node_modules/typescript/bin/tsc');
  if (!existsSync(compiler)) {
    console.error('The compiler is not installed; run npm ci first.');
    return 1;
  }
  console.error('Building …');
  for (const name of leftOver()) remove(path(name));
  const begun = new Date();
  if (existsSync(built)) cpSync(built, building, { recursive: true }); // only what changed is written anew
  const words = ['-p', path('tsconfig.build.json'), '--outDir', building];
  words.push('--tsBuildInfoFile', `${building}/build.tsbuildinfo`);
  // Standard output belongs to what the command answers.
  const { status } = spawnSync(process.execPath, [compiler, ...words], { stdio: ['ignore', 2, 2] });
  if (status !== 0) {
    remove(building);
    return status ?? 1;
  }
  writeFileSync(`${building}/built`, '');
  utimesSync(`${building}/built`, begun, begun); // what is saved while the compiler runs is newer than this build
  if (existsSync(built)) renameSync(built, path('dist.old'));
  renameSync(building, built);
  remove(path('dist.old'));
  return 0;
}

const isBuilt = () => {
  const builtMs = existsSync(stamp) ? statSync(stamp).mtimeMs : 0;
  return !sources.some((name) => isNewer(name, builtMs));
};

/** Whether the process that builds is still there. */
function isBuilding() {
  try {
    const text = readFileSync(lock, 'utf8');
    if (text === '') return Date.now() - statSync(lock).mtimeMs < 1_000; // it is about to write its number
    if (text === String(process.pid)) return false; // of an earlier process with this number
    process.kill(Number(text), 0); // only asks whether there is such a process
    return true;
  } catch (error) {
    return error.code === 'EPERM'; // it is somebody else's
  }
}

const wait = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

/** From one that was killed. Of several who find that out at once the last to write its number has the lock. */
function takeOver() {
  const own = `${lock}.${process.pid}`;
  writeFileSync(own, String(process.pid));
  renameSync(own, lock);
  wait(300);
  return existsSync(lock) && readFileSync(lock, 'utf8') === String(process.pid);
}

/** One at a time: who starts meanwhile must not load what is only half written. */
function buildAlone() {
  for (;;) {
    try {
      writeFileSync(lock, String(process.pid), { flag: 'wx' });
      break;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    if (isBuilding()) wait(100);
    else if (takeOver()) break;
  }
  const code = isBuilt() ? 0 : build();
  rmSync(lock, { force: true });
  if (code !== 0) process.exit(code);
}

if (!isBuilt() || existsSync(lock)) buildAlone();
await import('../dist/src/main.js');
