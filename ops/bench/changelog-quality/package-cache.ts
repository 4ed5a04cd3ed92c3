import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MeasuredFile } from './measure-entries.ts';
import { type PinnedPackage, pinnedPackages } from './pinned-packages.ts';

/** What was fetched is kept between runs, outside the repository. */
export const cacheFolder = (): string =>
  process.env['BENCH_CHANGELOGS_DIR'] ?? join(tmpdir(), 'registry-bench-changelogs');

const outputBytesMax = 256 * 1024 * 1024;
/** Packages asked for in one run of npm, which takes longer to start than to fetch one. */
const packagesAtOnce = 8;

export interface CachedChangelog extends MeasuredFile {
  readonly spec: string;
}

const nameOf = (spec: string): string => spec.slice(0, spec.lastIndexOf('@'));
const folderOf = (spec: string): string => join(cacheFolder(), spec.replaceAll('/', '+'));

const run = (command: string, args: readonly string[]): string =>
  execFileSync(command, args, { encoding: 'utf8', maxBuffer: outputBytesMax, stdio: ['ignore', 'pipe', 'pipe'] });

interface Packed {
  readonly name: string;
  readonly version: string;
  readonly filename: string;
}

function listedVersions(name: string): readonly string[] {
  const answer = JSON.parse(run('npm', ['view', name, 'versions', '--json'])) as string | string[];
  return [answer].flat();
}

/** The file stays beside the versions; the rest of the package is not kept. */
function keep({ spec, file }: PinnedPackage, archive: string): void {
  const folder = folderOf(spec);
  mkdirSync(folder, { recursive: true });
  const paths = run('tar', ['-tzf', archive]).split('\n');
  const path = paths.find((each) => each.split('/').length === 2 && each.endsWith(`/${file}`));
  if (path === undefined) throw new Error(`${spec} holds no ${file}`);
  writeFileSync(join(folder, 'changelog'), run('tar', ['-xzOf', archive, path]));
  writeFileSync(join(folder, 'versions.json'), JSON.stringify(listedVersions(nameOf(spec))));
}

function fetchPackages(packages: readonly PinnedPackage[]): void {
  const folder = join(cacheFolder(), 'archives');
  mkdirSync(folder, { recursive: true });
  const specs = packages.map(({ spec }) => spec);
  const packed = JSON.parse(run('npm', ['pack', ...specs, '--json', '--pack-destination', folder])) as Packed[];
  for (const { name, version, filename } of packed) {
    const pinned = packages.find(({ spec }) => spec === `${name}@${version}`);
    if (pinned !== undefined) keep(pinned, join(folder, filename));
  }
  rmSync(folder, { recursive: true, force: true });
}

const isCached = ({ spec }: PinnedPackage): boolean => existsSync(join(folderOf(spec), 'versions.json'));

/** Fetches what is missing through npm, from the registry that npm is set to. */
export function fetchMissing(): void {
  const missing = pinnedPackages.filter((pinned) => !isCached(pinned));
  for (let at = 0; at < missing.length; at += packagesAtOnce) {
    const packages = missing.slice(at, at + packagesAtOnce);
    console.error(`fetching ${at + 1} to ${at + packages.length} of ${missing.length} packages`);
    try {
      fetchPackages(packages);
    } catch {
      // One that is gone must not take the others with it.
      for (const pinned of packages.filter((each) => !isCached(each))) fetchAlone(pinned);
    }
  }
}

function fetchAlone(pinned: PinnedPackage): void {
  try {
    fetchPackages([pinned]);
  } catch (error) {
    console.error(`${pinned.spec} is left out: ${String(error).split('\n', 1)[0]}`);
  }
}

export const cachedChangelogs = (): CachedChangelog[] =>
  pinnedPackages.filter(isCached).map(({ spec }) => ({
    spec,
    packageName: nameOf(spec),
    text: readFileSync(join(folderOf(spec), 'changelog'), 'utf8'),
    listed: JSON.parse(readFileSync(join(folderOf(spec), 'versions.json'), 'utf8')) as string[],
  }));
