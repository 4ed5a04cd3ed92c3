import { acceptableItem } from '../../ingest/acceptable-item.ts';
import { itemOfEntry } from '../../ingest/changelog/changelog-entries.ts';
import { itemBatches } from '../../ingest/item-batches.ts';
import { type ChangelogFile, createImportPlanner, type SkippedFile } from '../../ingest/importing/import-plan.ts';
import { isDomainError } from '../../kernel/errors.ts';
import { cutText } from '../../kernel/text-rules.ts';
import { withImportRun } from '../../records/import-runs.ts';
import { createImportSession, type ImportOptions, type ImportServices } from './import-session.ts';
import { createSkipped, type ImportProgress, type ImportResult, refusalSentence } from './import-result.ts';

export interface ChangelogImport extends ImportOptions {
  /** An import of this name that was cut off goes on. */
  readonly name: string;
  /** Each is read when its turn comes: together they may be more than fits into memory. */
  readonly changelogs: readonly (() => ChangelogFile | SkippedFile)[];
  /** Puts everything below this org. */
  readonly orgSlug?: string | undefined;
  readonly onProgress: (progress: ImportProgress) => void;
  /** Stops between two batches. */
  readonly signal?: AbortSignal;
}

const titleCharsShown = 100;

async function runImport(
  services: ImportServices,
  { changelogs, orgSlug, onProgress, signal, ...options }: ChangelogImport,
  importId: string,
): Promise<ImportResult> {
  const planner = createImportPlanner({ orgSlug, webBaseUrl: services.webBaseUrl });
  const session = createImportSession(services, options, importId);
  const skipped = createSkipped();

  async function importChangelog(read: ChangelogFile | SkippedFile): Promise<void> {
    const planned = 'reason' in read ? read : planner.plan(read);
    if ('reason' in planned) {
      skipped.add(planned);
      return;
    }
    const { path } = planned;
    const items = planned.entries.flatMap((entry) => {
      const item = acceptableItem(itemOfEntry(entry));
      if (item !== null) return [item];
      const title = cutText(entry.title, titleCharsShown);
      skipped.add({ path, reason: `No release can be made of its entry ${JSON.stringify(title)}.` });
      return [];
    });
    try {
      for (const batch of itemBatches(items)) {
        if (signal?.aborted) return;
        await session.take(planned, batch);
      }
    } catch (error) {
      if (!isDomainError(error)) throw error;
      skipped.add({ path, reason: refusalSentence(error) });
    }
  }

  for (const [index, read] of changelogs.entries()) {
    if (signal?.aborted) break;
    await importChangelog(read());
    const { inserted, revised, unchanged, withdrawn } = session.counts().releases;
    onProgress({ done: index + 1, total: changelogs.length, releases: inserted + revised + unchanged + withdrawn });
  }
  return { files: changelogs.length, ...session.counts(), ...skipped.all() };
}

/** Brings changelogs in through the commands that everybody uses. Doing it again changes nothing. */
export const importChangelogs = (services: ImportServices, wanted: ChangelogImport): Promise<ImportResult> =>
  withImportRun(services, wanted, ({ importId }) => runImport(services, wanted, importId));
