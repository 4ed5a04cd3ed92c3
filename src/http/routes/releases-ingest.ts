import { type ZodObject, z } from 'zod';
import type { IngestResult } from '../../../commands/release/ingest-releases.ts';
import { releaseItem } from '../../domain/release/fields.ts';
import { BackendUnavailable } from '../../kernel/backend-unavailable.ts';
import { isDomainError } from '../../kernel/errors.ts';
import { ingestAndLog } from '../../use-cases/ingest-batch.ts';
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

const runOf = ({ command, nowMs }: Pick<RouteRequest<unknown, unknown, unknown>, 'command' | 'nowMs'>) => ({
  request: { ...command, cause: 'ingest' as const },
  startedMs: nowMs,
});

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
    tag: 'Releases',
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
      const batch = { ...runOf(request), sourceId: source.id, items: [request.body] };
      const viewAfter = (written: number) => services.viewAfter(writtenReleaseReads, written);
      const { results, position, view } = await ingestAndLog(services, batch, viewAfter);
      const { id, result } = results[0] as IngestResult;
      if (result === 'withdrawn') return { status: 200, body: { id, result }, position };
      const body = await writtenRelease(view, id, request);
      if (result === 'inserted') return { status: 201, body, position, releaseIds: [id] };
      return { status: 200, body: { ...body, result }, position, releaseIds: [id] };
    },
  });

const ingestMany = <Params extends ZodObject>({ path, params, resolve }: SourceAddress<Params>): Route =>
  defineRoute({
    method: 'POST',
    path: `${path}/releases/batch`,
    tag: 'Releases',
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
      const batch = { ...runOf(request), sourceId: source.id, items, emit };
      const { results, position } = await ingestAndLog(services, batch, (written) => settle(services, written));
      return { status: 200, body: summaryOf(results), position };
    },
  });

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
