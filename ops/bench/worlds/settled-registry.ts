import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { withDatabase, withNamedDatabase } from '../mongodb.ts';
import { inBenchFolder } from './bench-folder.ts';
import { fillAll } from './filled-registry.ts';
import type { RegistryShape } from './seeded-registry.ts';
import { buildRegistry, mongodbSettings, untilIndexed, untilQuiet, withServed } from './served-registry.ts';

export interface SettledRegistry {
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

/** MiniLM would fill vectors for an hour; where it has done so, what it left behind costs a reader as much as this. */
const withoutModel = { EMBEDDER: 'static' };

async function fill(dataDir: string, shape: RegistryShape, mongodbUrl: string | undefined): Promise<SettledRegistry> {
  const settings = { ...withoutModel, ...(mongodbUrl !== undefined && mongodbSettings(mongodbUrl)) };
  const filled = join(dataDir, 'filled');
  const isFilled = existsSync(filled);
  if (!isFilled) await fillAll({ dataDir, ...(mongodbUrl !== undefined && { mongodbUrl }) }, shape);
  await buildRegistry(dataDir);
  // Also where it was filled before: other code may have to fill some of it anew.
  await withServed(
    dataDir,
    async (served) => {
      if (!isFilled) await untilIndexed(served);
      await untilQuiet(served);
    },
    settings,
  );
  writeFileSync(filled, '');
  return { dataDir, settings };
}

/** What a run that was ended left behind would be filled a second time. */
function keptFolder(keptIn: string, name: string): string {
  const folder = resolve(keptIn, name);
  if (!existsSync(join(folder, 'filled'))) rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** A registry that has lived for a while and has nothing left to do. */
export async function withSettled<Result>(
  { shape, onMongodb, keptIn }: Wanted,
  work: (registry: SettledRegistry) => Promise<Result>,
): Promise<Result> {
  if (keptIn === undefined) {
    const inFolder = (url?: string) => inBenchFolder(async (dataDir) => work(await fill(dataDir, shape, url)));
    return onMongodb ? withDatabase(inFolder) : inFolder();
  }
  const name = `${onMongodb ? 'mongodb' : 'embedded'}-${shape.releases}`;
  const folder = keptFolder(keptIn, name);
  if (!onMongodb) return work(await fill(folder, shape, undefined));
  const isEmpty = !existsSync(join(folder, 'filled'));
  return withNamedDatabase(`bench-kept-${shape.releases}`, { isEmpty }, async (url) =>
    work(await fill(folder, shape, url)),
  );
}
