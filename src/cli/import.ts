import { allProjections } from '../../projections/all-projections.ts';
import { systemClock } from '../adapters/system/clock.ts';
import { systemIds } from '../adapters/system/ids.ts';
import { openRegistry } from '../compose/registry.ts';
import { storesOf } from '../config/backend-settings.ts';
import { baseUrlOf } from '../config/settings.ts';
import { createSourceContacts } from '../records/source-contacts.ts';
import { slug } from '../kernel/slugs.ts';
import { type ImportProgress, type ImportResult, importChangelogs } from '../use-cases/import-changelogs.ts';
import { findChangelogs } from './changelog-files.ts';
import { type RunCommand, type CliFlags, UsageError } from './cli-command.ts';
import { createProgress, type Progress } from './progress.ts';

/** Long enough for a slow machine; the import itself is done by then. */
const readModelsWaitMs = 60_000;

export const importSentence = ({ files, orgs, sources, releases, skipped }: ImportResult): string =>
  `${files} changelogs read: ${orgs} orgs and ${sources} sources made, ${releases.inserted} releases inserted, ` +
  `${releases.revised} revised, ${releases.unchanged} unchanged, ${releases.withdrawn} withdrawn; ` +
  `${skipped.length} files skipped`;

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

export const runImport: RunCommand = async ({ config, words, flags, json, print, note, isTerminal }) => {
  if (words.length === 0) throw new UsageError('Name a folder, a file or a pattern.');
  const orgSlug = orgSlugOf(flags);
  const changelogs = await findChangelogs(words);
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
    const result = await showImport(createProgress('Importing', { note, isTerminal }), (onProgress) =>
      importChangelogs(services, {
        name: JSON.stringify([orgSlug ?? null, ...words]),
        changelogs,
        orgSlug,
        backfillDays: config.EMIT_BACKFILL_DAYS,
        actor: 'system:import',
        onProgress,
      }),
    );
    const head = await registry.eventStore.head();
    if (!(await registry.live.waitFor(allProjections, head, readModelsWaitMs))) {
      note('The releases are stored; the read models are still catching up.\n');
    }
    if (json) print(JSON.stringify(result));
    else {
      for (const { path, reason } of result.skipped) note(`skipped ${path}: ${reason}\n`);
      print(importSentence(result));
    }
    return 0;
  } catch (error) {
    throw died ?? error;
  } finally {
    await registry.close();
  }
};
