import { type ZodObject, z } from 'zod';
import { type IngestResult, ingestReleases } from '../../../commands/release/ingest-releases.ts';
import { releaseCount } from '../../catalogue/numbers.ts';
import { type ReleaseItem, releaseItem } from '../../domain/release/fields.ts';
import { BackendUnavailable } from '../../kernel/backend-unavailable.ts';
import { isDomainError } from '../../kernel/errors.ts';
import type { TokenCounter } from '../../ports/token-counter.ts';
import { ingestResult, knownRelease, releaseDetail } from '../answers/release.ts';
import { bodyBytesLarge, defineRoute, type Route, type RouteRequest } from '../route.ts';
import type { ReadView, Services } from '../services.ts';
import { type SourceAddress, sourceBelowOrg, sourceByItself } from './source-addresses.ts';
import { writtenRelease, writtenReleaseReads } from './written-release.ts';

const batchItemsMax = 500;
const sentRelease = releaseItem.meta({ id: 'ReleaseInput' });

const batchBody = z.strictObject({
  releases: z.array(sentRelease).min(1).max(batchItemsMax),
  emit: z.boolean().default(true),
});

/** The command takes texts with their token counts; all of a request are counted in one call. */
async function countTokens(counter: TokenCounter, items: readonly ReleaseItem[]): Promise<unknown[]> {
  const counted = items.filter(({ content }) => content !== undefined && content !== '');
  if (counted.length === 0) return [...items];
  const counts = await counter.countMany(counted.map(({ content }) => content ?? ''));
  const countOf = new Map(counted.map((item, index) => [item, counts[index]]));
  return items.map((item) => (countOf.has(item) ? { ...item, contentTokens: countOf.get(item) } : item));
}

async function ingest(
  sourceId: string,
  { items, emit }: { readonly items: readonly ReleaseItem[]; readonly emit: boolean },
  { command, nowMs }: Pick<RouteRequest<unknown, unknown, unknown>, 'command' | 'nowMs'>,
  { batches, contacts, tokenCounter, webBaseUrl }: Services,
): Promise<{ readonly results: readonly IngestResult[]; readonly position: number }> {
  const input = { sourceId, items: await countTokens(tokenCounter, items), emit, webBaseUrl };
  const outcome = await batches.run(ingestReleases, input, { ...command, cause: 'ingest' });
  await contacts.recordIngest(sourceId, nowMs);
  return outcome;
}

const summaryOf = (results: readonly IngestResult[]) => {
  const idsWith = (wanted: IngestResult['result']) =>
    results.filter(({ result }) => result === wanted).map(({ id }) => id);
  const insertedIds = idsWith('inserted');
  return {
    total: results.length,
    inserted: insertedIds.length,
    revised: idsWith('revised').length,
    unchanged: idsWith('unchanged').length,
    withdrawn: idsWith('withdrawn').length,
    insertedIds,
    items: results.map(({ id, result }, index) => ({ index, id, result })),
  };
};

const ingestOne = <Params extends ZodObject>({ path, params, resolve }: SourceAddress<Params>): Route =>
  defineRoute({
    method: 'POST',
    path: `${path}/releases`,
    tag: 'releases',
    summary: 'Send one release of a source',
    extension: true,
    access: 'write',
    params,
    query: z.object({}),
    body: sentRelease,
    idempotent: true,
    reads: writtenReleaseReads,
    responses: { 200: knownRelease, 201: releaseDetail },
    handle: async (request, services) => {
      const { catalogue } = await services.view();
      const source = resolve(catalogue, request.params, request.admin);
      const { results, position } = await ingest(source.id, { items: [request.body], emit: true }, request, services);
      const { id, result } = results[0] as IngestResult;
      const view = await services.viewAfter(writtenReleaseReads, position);
      await logRun(source.id, results, request, view, services);
      if (result === 'withdrawn') return { status: 200, body: { id, result }, position };
      const body = await writtenRelease(view, id, request);
      if (result === 'inserted') return { status: 201, body, position, releaseId: id };
      return { status: 200, body: { ...body, result }, position, releaseId: id };
    },
  });

const ingestMany = <Params extends ZodObject>({ path, params, resolve }: SourceAddress<Params>): Route =>
  defineRoute({
    method: 'POST',
    path: `${path}/releases/batch`,
    tag: 'releases',
    summary: 'Send up to 500 releases of a source',
    extension: true,
    access: 'write',
    params,
    query: z.object({}),
    body: batchBody,
    bodyBytesMax: bodyBytesLarge,
    idempotent: true,
    reads: writtenReleaseReads,
    responses: { 200: ingestResult },
    handle: async (request, services) => {
      const { catalogue } = await services.view();
      const source = resolve(catalogue, request.params, request.admin);
      const { releases: items, emit } = request.body;
      const { results, position } = await ingest(source.id, { items, emit }, request, services);
      await logRun(source.id, results, request, await settle(services, position), services);
      return { status: 200, body: summaryOf(results), position };
    },
  });

/** One entry of the fetch log for each call (contract 14.4). */
async function logRun(
  sourceId: string,
  results: readonly IngestResult[],
  { command, nowMs }: Pick<RouteRequest<unknown, unknown, unknown>, 'command' | 'nowMs'>,
  view: Pick<ReadView, 'catalogue'>,
  { fetchLog, clock }: Services,
): Promise<void> {
  const endedMs = clock.nowMs();
  const countOf = (wanted: IngestResult['result']) => results.filter(({ result }) => result === wanted).length;
  await fetchLog.recordIngest({
    commandId: command.commandId,
    sourceId,
    found: results.length,
    inserted: countOf('inserted'),
    revised: countOf('revised'),
    totalReleases: releaseCount([view.catalogue.instantsOf(sourceId)], endedMs),
    startedMs: nowMs,
    endedMs,
  });
}

/**
 * As a rule a batch can be read when it is answered. The answer itself reads nothing, so read models that are further
 * behind do not make it a failure: the position tells readers what to wait for.
 */
async function settle({ viewAfter, view }: Services, position: number): Promise<ReadView> {
  try {
    return await viewAfter(writtenReleaseReads, position);
  } catch (error) {
    if (!isDomainError(error, 'projection_behind')) throw error;
    return view().catch((problem: unknown) => {
      throw problem instanceof BackendUnavailable ? error : problem; // it is stored, and the caller must know
    });
  }
}

export const releaseIngestRoutes: readonly Route[] = [
  ingestOne(sourceByItself),
  ingestMany(sourceByItself),
  ingestOne(sourceBelowOrg),
  ingestMany(sourceBelowOrg),
];
