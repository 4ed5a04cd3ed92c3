import { v5 as uuidV5 } from 'uuid';
import { createOrg } from '../../commands/org/create-org.ts';
import type { IngestResult } from '../../commands/release/ingest-releases.ts';
import { addSource } from './add-source.ts';
import { type ChangelogEntry, itemOfEntry } from '../ingest/changelog/changelog-entries.ts';
import {
  batchesOf,
  type ChangelogFile,
  createImportPlanner,
  type PlannedSource,
  type SkippedFile,
} from '../ingest/import-plan.ts';
import { isDomainError } from '../kernel/errors.ts';
import type { Clock } from '../ports/clock.ts';
import type { EventStore } from '../ports/event-store.ts';
import type { Ids } from '../ports/ids.ts';
import type { OperationalStore } from '../ports/operational-store.ts';
import { withImportRun } from '../records/import-runs.ts';
import type { CommandRunner } from '../runtime/commands/command-runner.ts';
import { type IngestServices, ingestBatch } from './ingest-batch.ts';
import { createKnownEntities } from './known-entities.ts';

export interface ImportServices extends IngestServices {
  readonly commands: CommandRunner;
  readonly eventStore: Pick<EventStore, 'read'>;
  readonly ops: OperationalStore;
  readonly clock: Clock;
  readonly ids: Ids;
}

export interface ImportProgress {
  /** Changelogs. */
  readonly done: number;
  readonly total: number;
  readonly releases: number;
}

export interface ChangelogImport {
  /** An import of this name that was cut off goes on. */
  readonly name: string;
  /** Each is read when its turn comes: together they may be more than fits into memory. */
  readonly changelogs: readonly (() => ChangelogFile | SkippedFile)[];
  /** Puts everything below this org. */
  readonly orgSlug?: string | undefined;
  readonly backfillDays: number;
  /** As events name it. */
  readonly actor: string;
  readonly onProgress: (progress: ImportProgress) => void;
  /** Stops between two batches. */
  readonly signal?: AbortSignal;
}

export interface ImportResult {
  readonly files: number;
  /** Made by this import. */
  readonly orgs: number;
  readonly sources: number;
  readonly releases: Readonly<Record<IngestResult['result'], number>>;
  readonly skipped: readonly SkippedFile[];
}

const describeSkip = (error: { code: string; message: string; details: unknown }): string =>
  `${error.code}: ${error.message}${error.details === undefined ? '' : ` ${JSON.stringify(error.details)}`}`;

async function runImport(
  services: ImportServices,
  { changelogs, orgSlug, backfillDays, actor, onProgress, signal }: ChangelogImport,
  importId: string,
): Promise<ImportResult> {
  const { commands, eventStore, ids, webBaseUrl } = services;
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
    const created = await addSource({ commands }, fields, creating(`source ${orgId} ${slug}`));
    made.sources += 1;
    return created.id;
  }

  async function ingest(sourceId: string, entries: readonly ChangelogEntry[]): Promise<void> {
    const batch = { sourceId, items: entries.map(itemOfEntry), backfillDays, request: request(ids.commandId()) };
    const { results } = await ingestBatch(services, batch);
    for (const { result } of results) releases[result] += 1;
  }

  async function importChangelog(read: ChangelogFile | SkippedFile): Promise<void> {
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

  for (const [index, read] of changelogs.entries()) {
    if (signal?.aborted) break;
    await importChangelog(read());
    const count = releases.inserted + releases.revised + releases.unchanged + releases.withdrawn;
    onProgress({ done: index + 1, total: changelogs.length, releases: count });
  }
  return { files: changelogs.length, ...made, releases, skipped };
}

/** Brings changelogs in through the commands that everybody uses. Doing it again changes nothing. */
export const importChangelogs = (services: ImportServices, wanted: ChangelogImport): Promise<ImportResult> =>
  withImportRun(services, wanted.name, (importId) => runImport(services, wanted, importId));
