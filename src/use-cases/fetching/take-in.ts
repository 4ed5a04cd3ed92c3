import { storeAppIcon } from '../../../commands/source/store-app-icon.ts';
import type { IngestResult } from '../../../commands/release/ingest-releases.ts';
import { type ReleaseItem, releaseItem } from '../../domain/release/fields.ts';
import type { SourceState } from '../../domain/source/state.ts';
import { cleanedLine } from '../../ingest/clean-text.ts';
import { itemBatches } from '../../ingest/item-batches.ts';
import type { FetchedSource, LeftOutEntry } from '../../ingest/source-fetcher.ts';
import { isDomainError } from '../../kernel/errors.ts';
import { cutText } from '../../kernel/text-rules.ts';
import type { TakenTurn } from '../../records/fetching/fetch-turns.ts';
import { ingestItems, previewItems } from '../ingest-batch.ts';
import { storeChangelog } from '../store-changelog.ts';
import { fetchRequest, type FetchServices } from './fetch-services.ts';

/** Enough to see what is wrong with the others. */
const toldMax = 5;
const nameCharsMax = 200;

/** As an operator is shown it, who must not be shown on a terminal what a stranger would like to do there. */
const shownName = (entry: string): string => cutText(cleanedLine(entry), nameCharsMax);

/** What was fetched, without what the registry cannot take: one bad entry stops no other. */
export function acceptedItems({ items, leftOut }: FetchedSource): {
  readonly accepted: readonly ReleaseItem[];
  readonly refused: readonly LeftOutEntry[];
} {
  const refused = leftOut.map(({ entry, reason }): LeftOutEntry => ({ entry: shownName(entry), reason }));
  const accepted = items.filter((item) => {
    const parsed = releaseItem.safeParse(item);
    if (parsed.success) return true;
    const [issue] = parsed.error.issues;
    refused.push({ entry: shownName(String(item.title)), reason: `${issue?.path.join('.')}: ${issue?.message}` });
    return false;
  });
  return { accepted, refused };
}

export function tellLeftOut({ log }: FetchServices, { sourceId }: TakenTurn, refused: readonly LeftOutEntry[]): void {
  if (refused.length === 0) return;
  log.warn('entries of a source were left out', { sourceId, count: refused.length, first: refused.slice(0, toldMax) });
}

interface Intake {
  readonly taken: TakenTurn;
  readonly source: SourceState;
  readonly fetched: FetchedSource;
  readonly items: readonly ReleaseItem[];
  /** Nothing was found at the source before. */
  readonly isFirst: boolean;
  /** Awaited before each step; throws when the turn was lost. */
  readonly stillHeld: () => Promise<void>;
}

const batchOf = (services: FetchServices, { taken, isFirst }: Intake, items: readonly ReleaseItem[]) => ({
  sourceId: taken.sourceId,
  items,
  ...(isFirst && { backfillDays: services.backfillDays }),
  request: fetchRequest(services, taken, 'fetch'),
});

/** What would come of each item, in their order. */
export async function previewFetched(services: FetchServices, intake: Intake): Promise<IngestResult[]> {
  const results: IngestResult[] = [];
  for (const items of itemBatches(intake.items)) {
    results.push(...(await previewItems(services, batchOf(services, intake, items))));
  }
  return results;
}

/** What the registry does not take of it is left out; that the source is gone ends the fetch. */
async function orLeftOut(
  { log }: FetchServices,
  { sourceId }: TakenTurn,
  what: string,
  store: () => Promise<unknown>,
): Promise<void> {
  try {
    await store();
  } catch (error) {
    const code = isDomainError(error) ? error.code : 'not_found';
    if (code === 'not_found') throw error;
    log.warn('a part of what was fetched was left out', { sourceId, what, code });
  }
}

async function storeFiles(services: FetchServices, { taken, source, fetched, stillHeld }: Intake): Promise<void> {
  if (source.type !== 'github') return; // other sources have no files
  const { sourceId } = taken;
  for (const { path, content, truncated, url, rawUrl } of fetched.changelogs) {
    await stillHeld();
    const file = { path, content, ...(url !== null && { url }), ...(rawUrl !== null && { rawUrl }) };
    const request = fetchRequest(services, taken, 'fetch');
    await orLeftOut(services, taken, path, () => storeChangelog(services, { sourceId, file, truncated }, request));
  }
}

async function storeIcon(services: FetchServices, { taken, fetched: { iconUrl } }: Intake): Promise<void> {
  if (iconUrl === null) return;
  const input = { sourceId: taken.sourceId, iconUrl };
  const request = fetchRequest(services, taken, 'fetch');
  await orLeftOut(services, taken, 'icon', () => services.commands.run(storeAppIcon, input, request));
}

export interface TakenIn {
  readonly results: readonly IngestResult[];
  /** Of the last event that was stored or read. */
  readonly position: number;
}

/** Stores all that a fetch has found. Doing it again changes nothing. */
export async function takeIn(services: FetchServices, intake: Intake): Promise<TakenIn> {
  const results: IngestResult[] = [];
  let position = 0;
  for (const items of itemBatches(intake.items)) {
    await intake.stillHeld();
    const ingested = await ingestItems(services, batchOf(services, intake, items));
    results.push(...ingested.results);
    position = Math.max(position, ingested.position);
  }
  await storeFiles(services, intake);
  await storeIcon(services, intake);
  return { results, position };
}
