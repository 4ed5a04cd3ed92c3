import { type IngestResult, ingestReleases } from '../../commands/release/ingest-releases.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { releaseCount } from '../catalogue/numbers.ts';
import type { ReleaseItem } from '../domain/release/fields.ts';
import type { CommandRequest } from '../kernel/command.ts';
import type { Clock } from '../ports/clock.ts';
import type { TokenCounter } from '../ports/token-counter.ts';
import type { FetchLog } from '../records/fetch-log.ts';
import type { SourceContacts } from '../records/source-contacts.ts';
import type { BatchResult, BatchRunner } from '../runtime/commands/batch-runner.ts';

export interface IngestServices {
  readonly batches: BatchRunner;
  readonly tokenCounter: Pick<TokenCounter, 'countMany'>;
  readonly contacts: Pick<SourceContacts, 'recordIngest' | 'recordFetch'>;
  readonly clock: Pick<Clock, 'nowMs'>;
  /** Public address of the web pages, without a slash at its end. */
  readonly webBaseUrl: string;
}

export interface IngestedBatch {
  readonly sourceId: string;
  readonly items: readonly ReleaseItem[];
  /** Whether new releases are announced; they are when absent. */
  readonly emit?: boolean;
  /** When set, only releases dated within the last so many days are announced. */
  readonly backfillDays?: number;
  readonly request: CommandRequest & { readonly cause: 'ingest' | 'fetch' | 'import' };
}

/** The command takes texts with their token counts; all of a batch are counted in one call. */
async function withTokenCounts(
  counter: IngestServices['tokenCounter'],
  items: readonly ReleaseItem[],
): Promise<readonly unknown[]> {
  const counted = items.filter(({ content }) => content !== undefined && content !== '');
  if (counted.length === 0) return items;
  const counts = await counter.countMany(counted.map(({ content }) => content ?? ''));
  const countOf = new Map(counted.map((item, index) => [item, counts[index]]));
  return items.map((item) => (countOf.has(item) ? { ...item, contentTokens: countOf.get(item) } : item));
}

type IngestItemsServices = Pick<IngestServices, 'batches' | 'tokenCounter' | 'webBaseUrl'>;

/** Brings releases of a source in. */
export async function ingestItems(
  services: IngestItemsServices,
  ingested: IngestedBatch,
): Promise<BatchResult<IngestResult>> {
  return services.batches.run(ingestReleases, await ingestInput(services, ingested), ingested.request);
}

/** What would come of the same, without anything being stored. */
export async function previewItems(
  services: IngestItemsServices,
  ingested: IngestedBatch,
): Promise<readonly IngestResult[]> {
  return services.batches.preview(ingestReleases, await ingestInput(services, ingested), ingested.request);
}

async function ingestInput(
  { tokenCounter, webBaseUrl }: IngestItemsServices,
  { items: sent, request, ...batch }: IngestedBatch,
) {
  const items = await withTokenCounts(tokenCounter, sent);
  return { ...batch, items, keepsEdits: request.cause === 'fetch', webBaseUrl };
}

/** Brings releases of a source in, and records that there was contact with it (contract 15.2). */
export async function ingestBatch(
  services: IngestServices,
  ingested: IngestedBatch,
): Promise<BatchResult<IngestResult>> {
  const { contacts, clock } = services;
  const { sourceId, request } = ingested;
  const outcome = await ingestItems(services, ingested);
  const record = request.cause === 'fetch' ? contacts.recordFetch : contacts.recordIngest;
  await record(sourceId, clock.nowMs());
  return outcome;
}

/** The same with an entry in the fetch log (contract 14.4), for callers that can see how many releases there are then. */
export async function ingestAndLog<View extends { readonly catalogue: Catalogue }>(
  services: IngestServices & { readonly fetchLog: FetchLog },
  batch: IngestedBatch & { readonly startedMs: number },
  viewAfter: (position: number) => Promise<View>,
): Promise<BatchResult<IngestResult> & { readonly view: View }> {
  const { startedMs, ...ingested } = batch;
  const outcome = await ingestBatch(services, ingested);
  const view = await viewAfter(outcome.position);
  const endedMs = services.clock.nowMs();
  const countOf = (wanted: IngestResult['result']) => outcome.results.filter(({ result }) => result === wanted).length;
  await services.fetchLog.recordIngest({
    commandId: batch.request.commandId,
    sourceId: batch.sourceId,
    found: outcome.results.length,
    inserted: countOf('inserted'),
    revised: countOf('revised'),
    totalReleases: releaseCount([view.catalogue.instantsOf(batch.sourceId)], endedMs),
    startedMs,
    endedMs,
  });
  return { ...outcome, view };
}
