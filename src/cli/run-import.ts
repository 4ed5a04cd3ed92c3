import { v5 as uuidV5 } from 'uuid';
import { createOrg } from '../../commands/org/create-org.ts';
import { ingestReleases, type IngestResult } from '../../commands/release/ingest-releases.ts';
import { createSource } from '../../commands/source/create-source.ts';
import { systemClock } from '../adapters/system/clock.ts';
import { systemIds } from '../adapters/system/ids.ts';
import type { Registry } from '../compose/registry.ts';
import type { SourceContacts } from '../records/source-contacts.ts';
import type { ChangelogEntry } from '../ingest/changelog-entries.ts';
import { batchesOf, createImportPlanner, type PlannedSource, type SkippedFile } from '../ingest/import-plan.ts';
import { isDomainError } from '../kernel/errors.ts';
import { type FoundFile, readChangelog } from './changelog-files.ts';
import { createKnownEntities } from './known-entities.ts';
import type { Progress } from './progress.ts';

export interface ImportResult {
  readonly files: number;
  /** Made by this import. */
  readonly orgs: number;
  readonly sources: number;
  readonly releases: Readonly<Record<IngestResult['result'], number>>;
  readonly skipped: readonly SkippedFile[];
}

export interface ImportOptions {
  /** A UUID; the same for an import that goes on after it was cut off. */
  readonly importId: string;
  readonly registry: Pick<Registry, 'commands' | 'batches' | 'tokens' | 'eventStore'>;
  readonly contacts: Pick<SourceContacts, 'recordIngest'>;
  readonly files: readonly FoundFile[];
  readonly orgSlug?: string | undefined;
  readonly webBaseUrl: string;
  readonly backfillDays: number;
  /** As events name it. */
  readonly actor: string;
  readonly progress: Progress;
  /** Stops between two batches. */
  readonly signal?: AbortSignal;
}

/** A file that names no version or date says nothing about them; null would take a value back. */
const sentFields = ({ title, content, version, publishedAt }: ChangelogEntry) => ({
  title,
  content,
  ...(version !== null && { version }),
  ...(publishedAt !== null && { publishedAt }),
});

const describeSkip = (error: { code: string; message: string; details: unknown }): string =>
  `${error.code}: ${error.message}${error.details === undefined ? '' : ` ${JSON.stringify(error.details)}`}`;

/** Brings changelogs in through the commands that everybody uses. Doing it again changes nothing. */
export async function runImport(options: ImportOptions): Promise<ImportResult> {
  const { importId, registry, contacts, files, orgSlug, webBaseUrl, backfillDays, actor, progress, signal } = options;
  const { commands, batches, tokens, eventStore } = registry;
  const known = createKnownEntities(eventStore);
  const planner = createImportPlanner({ orgSlug, webBaseUrl });
  const request = (commandId: string) => ({ commandId, actor, cause: 'import' as const, correlationId: importId });
  /** What claims a name is the same command again when the import goes on; what a file says may have changed. */
  const creating = (what: string) => request(uuidV5(what, importId));

  const made = { orgs: 0, sources: 0 };
  const releases = { inserted: 0, revised: 0, unchanged: 0, withdrawn: 0 };
  const skipped: SkippedFile[] = [];

  async function orgOf({ org }: PlannedSource): Promise<string> {
    const found = await known.orgBySlug(org.slug);
    if (found !== null) return found;
    const created = await commands.run(createOrg, org, creating(`org ${org.slug}`));
    made.orgs += 1;
    return created.id;
  }

  async function sourceOf(planned: PlannedSource): Promise<string> {
    for (const ref of planned.packages) {
      const found = await known.sourceByPackage(ref);
      if (found !== null) return found;
    }
    const orgId = await orgOf(planned);
    const found = await known.sourceBySlug(orgId, planned.slug);
    if (found !== null) return found;
    const { slug, name, url, type, packages } = planned;
    // Whoever imports a file did not ask for its repository to be polled; a PATCH of the source does.
    const fields = { orgId, slug, name, url, ...(type && { type }), packages, fetchPriority: 'paused' };
    const created = await commands.run(createSource, fields, creating(`source ${orgId} ${slug}`));
    made.sources += 1;
    return created.id;
  }

  async function ingest(sourceId: string, entries: readonly ChangelogEntry[]): Promise<void> {
    const counts = await tokens.countMany(entries.map(({ content }) => content));
    const items = entries.map((entry, index) => ({ ...sentFields(entry), contentTokens: counts[index] ?? null }));
    const input = { sourceId, items, backfillDays, webBaseUrl };
    const { results } = await batches.run(ingestReleases, input, request(systemIds.commandId()));
    await contacts.recordIngest(sourceId, systemClock.nowMs());
    for (const { result } of results) releases[result] += 1;
  }

  async function importFile(file: FoundFile): Promise<void> {
    const read = readChangelog(file);
    const planned = 'reason' in read ? read : planner.plan(read);
    if ('reason' in planned) {
      skipped.push(planned);
      return;
    }
    try {
      const sourceId = await sourceOf(planned);
      for (const batch of batchesOf(planned.entries)) {
        if (signal?.aborted) return;
        await ingest(sourceId, batch);
      }
    } catch (error) {
      if (!isDomainError(error)) throw error;
      skipped.push({ path: planned.path, reason: describeSkip(error) });
    }
  }

  try {
    for (const [index, file] of files.entries()) {
      if (signal?.aborted) break;
      await importFile(file);
      const count = releases.inserted + releases.revised + releases.unchanged + releases.withdrawn;
      progress.show({ done: index + 1, total: files.length, detail: `${count} releases` });
    }
  } finally {
    progress.end();
  }
  return { files: files.length, ...made, releases, skipped };
}
