// Puts the program and the modules of its packages into few files: to load them one by one takes longer than all else that
// a start does, and each thread loads its own. `node ops/build.mjs` builds what changed since the last time.
import {
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const path = (name) => `${root}${name}`;

const sources = ['src', 'commands', 'projections', 'queries', 'package-lock.json', 'ops/build.mjs'];
const built = path('dist');
const stamp = path('dist/built');
const lock = path('dist.lock');
/** Whoever builds may be killed, so each writes into a folder of its own. */
const building = path(`dist.${process.pid}`);

/** What is started as a thread or a process of its own. */
const entryPoint =
  /^src\/(main|compose\/(processes|threads)\/[^/]+-worker|adapters\/(?!threads\/).+-(thread|process))\.ts$/;

/** With native code or files of their own, or loaded by few threads of those who have such a server. */
const external = [
  '@eventstore/db-client',
  '@grpc/grpc-js',
  '@opensearch-project/opensearch',
  'better-sqlite3',
  'kafkajs',
  'onnxruntime-node',
  'pino',
  'protobufjs',
  'swagger-ui-dist',
  'tiktoken',
];

const entryPoints = () =>
  readdirSync(path('src'), { recursive: true })
    .map((name) => `src/${name.split(sep).join('/')}`)
    .filter((name) => entryPoint.test(name));

/** A module looks beside itself for threads and files: it keeps the address that it would have alone. */
const ownAddresses = {
  name: 'own-addresses',
  setup: ({ onLoad }) => {
    onLoad({ filter: /\.ts$/ }, ({ path: file }) => {
      const text = readFileSync(file, 'utf8');
      const own = relative(root, file).split(sep).join('/').replace(/\.ts$/, '.js');
      return { contents: text.replaceAll('import.meta.url', `(bundledIn + '${own}')`), loader: 'ts' };
    });
  },
};

/**
 * The sentences of zod in fifty languages, which its only export holds on to. Nobody asks for them: English is loaded by
 * zod itself, and everything else says what is wrong in sentences of its own.
 */
const withoutLocales = {
  name: 'without-locales',
  setup: ({ onLoad }) => {
    onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({
      contents: "export { default as en } from './en.js';",
      loader: 'js',
    }));
  },
};

const banner = [
  "import { createRequire as requireOf } from 'node:module';", // packages in the older form ask for Node's own modules by it
  'const require = requireOf(import.meta.url);',
  String.raw`const bundledIn = import.meta.url.replace(/^(.*\/)(?:src|shared)\/.*$/, '$1');`,
].join(' ');

async function bundle(folder) {
  const { build } = await import('esbuild');
  await build({
    entryPoints: entryPoints(),
    absWorkingDir: root,
    outbase: root,
    outdir: folder,
    chunkNames: 'shared/[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    external,
    plugins: [ownAddresses, withoutLocales],
    banner: { js: banner },
    sourcemap: true,
    logLevel: 'warning',
  });
}

function isNewer(name, sinceMs) {
  const stats = statSync(path(name));
  if (stats.mtimeMs > sinceMs) return true; // of a folder: something was added or removed
  return stats.isDirectory() && readdirSync(path(name)).some((child) => isNewer(`${name}/${child}`, sinceMs));
}

const remove = (name) => rmSync(name, { recursive: true, force: true });

/** The folders of builders that were killed. */
const leftOver = () => readdirSync(root).filter((name) => /^dist\.(\d+|old)$/.test(name));

async function build() {
  if (!existsSync(path('node_modules/esbuild'))) {
    console.error('The compiler is not installed; run npm ci first.');
    process.exit(1);
  }
  console.error('Building …'); // standard output belongs to what the command answers
  for (const name of leftOver()) remove(path(name));
  const begun = new Date();
  await bundle(building);
  writeFileSync(`${building}/built`, '');
  utimesSync(`${building}/built`, begun, begun); // what is saved while it is built is newer than this build
  if (existsSync(built)) renameSync(built, path('dist.old'));
  renameSync(building, built);
  remove(path('dist.old'));
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
async function buildAlone() {
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
  try {
    if (!isBuilt()) await build();
  } finally {
    remove(building);
    rmSync(lock, { force: true });
  }
}

if (!isBuilt() || existsSync(lock)) await buildAlone();
