import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { withDatabase, withNamedDatabase } from '../mongodb.ts';
import { inBenchFolder } from './bench-folder.ts';
import { fillAll } from './filled-registry.ts';
import type { RegistryShape } from './seeded-registry.ts';
import { buildRegistry, mongodbSettings, untilIndexed, untilQuiet, withServed } from './served-registry.ts';

export interface FilledRegistry {
  readonly dataDir: string;
  /** How it is served. */
  readonly settings: Readonly<Record<string, string>>;
}

interface Wanted {
  readonly shape: RegistryShape;
  readonly onMongodb: boolean;
  /** Where filled registries stay for later runs; without it they are gone after the work. */
  readonly keptIn: string | undefined;
}

type Work<Result> = (registry: FilledRegistry) => Promise<Result>;

/** MiniLM would fill vectors for an hour; where it has done so, what it left behind costs a reader as much as this. */
const withoutModel = { EMBEDDER: 'static' };

/** Whether that has been done to what is in the folder, whoever did it. */
const isMarked = (dataDir: string, mark: 'filled' | 'indexed'): boolean => existsSync(join(dataDir, mark));
const setMark = (dataDir: string, mark: 'filled' | 'indexed'): void => writeFileSync(join(dataDir, mark), '');

async function fill(dataDir: string, shape: RegistryShape, mongodbUrl: string | undefined): Promise<FilledRegistry> {
  const settings = { ...withoutModel, ...(mongodbUrl !== undefined && mongodbSettings(mongodbUrl)) };
  if (!isMarked(dataDir, 'filled')) {
    await fillAll({ dataDir, ...(mongodbUrl !== undefined && { mongodbUrl }) }, shape);
    setMark(dataDir, 'filled');
  }
  await buildRegistry(dataDir);
  return { dataDir, settings };
}

/** What a run that was ended left behind is filled anew. */
function keptFolder(keptIn: string, name: string): string {
  const folder = resolve(keptIn, name);
  if (!isMarked(folder, 'filled')) rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return folder;
}

/**
 * What a kept one has been through since it was filled. One that has lived tells more, of overviews that were made and of
 * contacts with its sources: compared with one that has not, its answers are longer for another reason than its size.
 */
type Past = 'none' | 'lived';

async function withPast<Result>(past: Past, { shape, onMongodb, keptIn }: Wanted, work: Work<Result>): Promise<Result> {
  if (keptIn === undefined) {
    const inFolder = (url?: string) => inBenchFolder(async (dataDir) => work(await fill(dataDir, shape, url)));
    return onMongodb ? withDatabase(inFolder) : inFolder();
  }
  const content = `${shape.orgs}-orgs-${shape.releases}-releases${past === 'none' ? '-only-filled' : ''}`;
  const folder = keptFolder(keptIn, `${onMongodb ? 'mongodb' : 'embedded'}-${content}`);
  if (!onMongodb) return work(await fill(folder, shape, undefined));
  const isEmpty = !isMarked(folder, 'filled');
  return withNamedDatabase(`bench-${content}`, { isEmpty }, async (url) => work(await fill(folder, shape, url)));
}

/** A registry with all of its read models, in which nothing else was ever done: no process but one that answers may open it. */
export const withFilled = <Result>(wanted: Wanted, work: Work<Result>): Promise<Result> =>
  withPast('none', wanted, work);

/** One that has lived for a while and has nothing left to do. */
export const withSettled = <Result>(wanted: Wanted, work: Work<Result>): Promise<Result> =>
  withPast('lived', wanted, async (filled) => {
    const { dataDir, settings } = filled;
    const settle = async (served: Parameters<typeof untilIndexed>[0] & Parameters<typeof untilQuiet>[0]) => {
      if (!isMarked(dataDir, 'indexed')) await untilIndexed(served);
      await untilQuiet(served); // also where it was indexed before: other code may have to fill some of it anew
    };
    await withServed(dataDir, settle, settings);
    setMark(dataDir, 'indexed');
    return work(filled);
  });
