import { v5 as uuidV5 } from 'uuid';
import { createOrg } from '../../../commands/org/create-org.ts';
import type { IngestResult } from '../../../commands/release/ingest-releases.ts';
import type { ReleaseItem } from '../../domain/release/fields.ts';
import type { ImportedSource } from '../../ingest/importing/imported-source.ts';
import type { Clock } from '../../ports/clock.ts';
import type { EventStore } from '../../ports/event-store.ts';
import type { Ids } from '../../ports/ids.ts';
import type { OperationalStore } from '../../ports/operational-store.ts';
import type { CommandRunner } from '../../runtime/commands/command-runner.ts';
import { addSource } from '../add-source.ts';
import { type IngestServices, ingestBatch, previewItems } from '../ingest-batch.ts';
import { createKnownEntities } from '../known-entities.ts';

export interface ImportServices extends IngestServices {
  readonly commands: CommandRunner;
  readonly eventStore: Pick<EventStore, 'read'>;
  readonly ops: OperationalStore;
  readonly clock: Clock;
  readonly ids: Ids;
}

export interface ImportOptions {
  readonly backfillDays: number;
  /** As events name it. */
  readonly actor: string;
  /** Nothing is stored; what is counted is what would come of it. */
  readonly isDryRun?: boolean;
}

export interface ImportCounts {
  /** Made by this import. */
  readonly orgs: number;
  readonly sources: number;
  readonly releases: Readonly<Record<IngestResult['result'], number>>;
}

export interface ImportSession {
  /** The items are one batch. Throws a DomainError when the registry does not take them. */
  readonly take: (source: ImportedSource, items: readonly ReleaseItem[]) => Promise<void>;
  readonly counts: () => ImportCounts;
}

/** Takes releases in for whoever reads them from files, below sources that are found or made. */
export function createImportSession(
  services: ImportServices,
  { backfillDays, actor, isDryRun = false }: ImportOptions,
  importId: string,
): ImportSession {
  const { commands, eventStore, ids } = services;
  const known = createKnownEntities(eventStore);
  const request = (commandId: string) => ({ commandId, actor, cause: 'import' as const, correlationId: importId });
  /** What claims a name is the same command again when the import goes on; what a file says may have changed. */
  const creating = (what: string) => request(uuidV5(what, importId));

  const made = { orgs: new Set<string>(), sources: new Set<string>() };
  const releases = { inserted: 0, revised: 0, unchanged: 0, withdrawn: 0 };

  /** In a dry run null where it would have to be made. */
  async function orgOf(org: NonNullable<ImportedSource['org']>): Promise<string | null> {
    const found = await known.orgBySlug(org.slug);
    if (found !== null) return found;
    if (isDryRun) {
      made.orgs.add(org.slug);
      return null;
    }
    const { id } = await commands.run(createOrg, org, creating(`org ${org.slug}`));
    made.orgs.add(org.slug);
    return id;
  }

  async function sourceOf(wanted: ImportedSource): Promise<string | null> {
    if (wanted.id !== undefined) return wanted.id;
    for (const ref of wanted.packages) {
      const found = await known.sourceByPackage(ref);
      if (found !== null) return found;
    }
    const orgId = wanted.org === null ? null : await orgOf(wanted.org);
    const isOrgThere = wanted.org === null || orgId !== null;
    const found = isOrgThere ? await known.sourceBySlug(orgId, wanted.slug) : null;
    if (found !== null) return found;
    const key = `source ${orgId ?? wanted.org?.slug ?? ''} ${wanted.slug}`;
    if (isDryRun) {
      made.sources.add(key);
      return null;
    }
    const { slug, name, url, type, packages } = wanted;
    // Whoever imports a file did not ask for its repository to be polled; a PATCH of the source does.
    const fields = { slug, name, url, ...(type && { type }), packages, fetchPriority: 'paused' };
    const { id } = await addSource({ commands }, { ...fields, ...(orgId !== null && { orgId }) }, creating(key));
    made.sources.add(key);
    return id;
  }

  async function resultsOf(sourceId: string, items: readonly ReleaseItem[]): Promise<readonly IngestResult[]> {
    const batch = { sourceId, items, backfillDays, request: request(ids.commandId()) };
    return isDryRun ? previewItems(services, batch) : (await ingestBatch(services, batch)).results;
  }

  return {
    take: async (source, items) => {
      const sourceId = await sourceOf(source);
      if (sourceId === null) releases.inserted += items.length;
      else for (const { result } of await resultsOf(sourceId, items)) releases[result] += 1;
    },
    counts: () => ({ orgs: made.orgs.size, sources: made.sources.size, releases: { ...releases } }),
  };
}
