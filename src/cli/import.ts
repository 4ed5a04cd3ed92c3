import { allProjections } from '../../projections/all-projections.ts';
import { systemClock } from '../adapters/system/clock.ts';
import { systemIds } from '../adapters/system/ids.ts';
import { openRegistry } from '../compose/registry.ts';
import { storesOf } from '../config/backend-settings.ts';
import { baseUrlOf } from '../config/settings.ts';
import { createSourceContacts } from '../records/source-contacts.ts';
import { slug } from '../kernel/slugs.ts';
import { importChangelogs } from '../use-cases/importing/import-changelogs.ts';
import { importReleaseLines } from '../use-cases/importing/import-release-lines.ts';
import type { ImportProgress, ImportResult } from '../use-cases/importing/import-result.ts';
import { type RunCommand, type CliFlags, UsageError } from './cli-command.ts';
import { findImportFiles } from './importing/import-files.ts';
import { createProgress, type Progress } from './progress.ts';
import { tableOf } from './table.ts';

/** Long enough for a slow machine; the import itself is done by then. */
const readModelsWaitMs = 60_000;

export const importSentence = ({ files, orgs, sources, releases, skippedInAll }: ImportResult): string =>
  `${files} files read: ${orgs} orgs and ${sources} sources made, ${releases.inserted} releases inserted, ` +
  `${releases.revised} revised, ${releases.unchanged} unchanged, ${releases.withdrawn} withdrawn; ` +
  `${skippedInAll} skipped`;

const summaryOf = (result: ImportResult, isDryRun: boolean): string => {
  const { files, orgs, sources, releases, skippedInAll } = result;
  const rows = Object.entries({
    files,
    'orgs made': orgs,
    'sources made': sources,
    ...releases,
    skipped: skippedInAll,
  });
  const table = tableOf(
    ['WHAT', isDryRun ? 'WOULD BE' : 'COUNT'],
    rows.map(([what, count]) => [what, count.toLocaleString('en')]),
  );
  return isDryRun ? `${table}\nNothing was stored.` : table;
};

/** Shows how an import goes, also to its end when it fails. */
export async function showImport<T>(
  progress: Progress,
  work: (onProgress: (step: ImportProgress) => void) => Promise<T>,
): Promise<T> {
  try {
    return await work(({ done, total, releases }) => progress.show({ done, total, detail: `${releases} releases` }));
  } finally {
    progress.end();
  }
}

function orgSlugOf({ org }: CliFlags): string | undefined {
  if (org === undefined) return undefined;
  const parsed = slug.safeParse(org);
  if (!parsed.success) throw new UsageError('--org takes a slug: 1-64 of a-z, 0-9 and hyphen.');
  return parsed.data;
}

const joined = (results: readonly ImportResult[]): ImportResult => {
  const sum = (countOf: (result: ImportResult) => number) => results.reduce((all, result) => all + countOf(result), 0);
  return {
    files: sum(({ files }) => files),
    orgs: sum(({ orgs }) => orgs),
    sources: sum(({ sources }) => sources),
    releases: {
      inserted: sum(({ releases }) => releases.inserted),
      revised: sum(({ releases }) => releases.revised),
      unchanged: sum(({ releases }) => releases.unchanged),
      withdrawn: sum(({ releases }) => releases.withdrawn),
    },
    skipped: results.flatMap(({ skipped }) => skipped),
    skippedInAll: sum(({ skippedInAll }) => skippedInAll),
  };
};

export const runImport: RunCommand = async ({ config, words, flags, json, print, note, isTerminal }) => {
  if (words.length === 0) throw new UsageError('Name a folder, a file or a pattern.');
  const orgSlug = orgSlugOf(flags);
  const isDryRun = flags['dry-run'] === true;
  const { changelogs, releaseFiles } = await findImportFiles(words);
  if (releaseFiles[0] !== undefined && orgSlug !== undefined) {
    throw new UsageError(`--org is for changelogs; each line of ${releaseFiles[0].path} names its org.`);
  }
  const webBaseUrl = baseUrlOf(config, config.PORT);
  let died: Error | undefined;
  const registry = await openRegistry({
    ...storesOf(config),
    logLevel: config.LOG_LEVEL,
    webBaseUrl,
    onFatal: (error) => {
      died = error;
    },
  });
  try {
    const contacts = await createSourceContacts(registry.ops, systemClock);
    const services = { ...registry, contacts, clock: systemClock, ids: systemIds, webBaseUrl };
    const nameOf = (kind: string) => JSON.stringify([kind, orgSlug ?? null, ...words]);
    const options = { backfillDays: config.EMIT_BACKFILL_DAYS, actor: 'system:import', isDryRun };
    const show = <T>(work: (onProgress: (step: ImportProgress) => void) => Promise<T>) =>
      showImport(createProgress('Importing', { note, isTerminal }), work);
    const results: ImportResult[] = [];
    if (changelogs.length > 0) {
      const wanted = { ...options, name: nameOf('changelogs'), changelogs, orgSlug };
      results.push(await show((onProgress) => importChangelogs(services, { ...wanted, onProgress })));
    }
    if (releaseFiles.length > 0) {
      const wanted = { ...options, name: nameOf('releases'), files: releaseFiles };
      results.push(await show((onProgress) => importReleaseLines(services, { ...wanted, onProgress })));
    }
    const result = joined(results);
    const head = await registry.eventStore.head();
    if (!isDryRun && !(await registry.live.waitFor(allProjections, head, readModelsWaitMs))) {
      note('The releases are stored; the read models are still catching up.\n');
    }
    if (json) print(JSON.stringify(isDryRun ? { ...result, dryRun: true } : result));
    else {
      for (const { path, reason } of result.skipped) note(`skipped ${path}: ${reason}\n`);
      print(summaryOf(result, isDryRun));
    }
    return 0;
  } catch (error) {
    throw died ?? error;
  } finally {
    await registry.close();
  }
};
