import { type ZodObject, z } from 'zod';
import { sourceProjection } from '../../../projections/source/source.ts';
import { fetchLogRecord } from '../../../queries/shape/source/fetch-log-entry.ts';
import { catalogueReads } from '../../catalogue/catalogue.ts';
import { fetchStatuses } from '../../ingest/fetch-delay.ts';
import { decodeCursor, encodeCursor } from '../../kernel/paging/cursor.ts';
import { askForFetch } from '../../use-cases/fetching/ask-for-fetch.ts';
import { enqueuedFetch, fetchLogList, fetchLogPage } from '../answers/fetch.ts';
import { knownParameters } from '../request/known-parameters.ts';
import { cursorParam, enumParam, sizeParam } from '../request/query-params.ts';
import { defineRoute, type Route } from '../route.ts';
import { type SourceAddress, sourceBelowOrg, sourceByItself } from './source-addresses.ts';

const fetchBody = z.strictObject({ force: z.boolean().default(false), dryRun: z.boolean().default(false) });

const askForFetchOf = <Params extends ZodObject>({ path, params, resolve }: SourceAddress<Params>): Route =>
  defineRoute({
    method: 'POST',
    path: `${path}/fetch`,
    tag: 'Sources',
    summary: 'Have a source fetched soon, or only see what would come',
    extension: true,
    access: 'write',
    params,
    query: z.object({}),
    body: fetchBody,
    bodyOptional: true,
    idempotent: true,
    reads: catalogueReads,
    responses: { 202: enqueuedFetch },
    handle: async ({ params: named, body, admin, command }, services) => {
      const { catalogue, models } = await services.view();
      const source = resolve(catalogue, named, admin);
      const { force = false, dryRun = false } = body ?? {};
      const wish = { source, force, dryRun, commandId: command.commandId };
      const jobId = await askForFetch(services, wish);
      const position = await models.of(sourceProjection).checkpoint(); // nothing is appended: the highest that was read
      return { status: 202, body: { enqueued: true, jobId, sourceId: source.id }, position };
    },
  });

const logQuery = z.object({ limit: sizeParam({ fallback: 20, max: 100 }), cursor: cursorParam });

/** Time and id of the last entry that was shown. */
const entryPosition = z.tuple([z.int(), z.string()]);

const fetchLogOf = <Params extends ZodObject>({ path, params, resolve }: SourceAddress<Params>): Route =>
  defineRoute({
    method: 'GET',
    path: `${path}/fetch-log`,
    tag: 'Sources',
    summary: 'How a source was fetched within 90 days, the newest first',
    extension: true,
    access: 'write',
    params,
    query: logQuery,
    reads: catalogueReads,
    responses: { 200: fetchLogPage },
    handle: async ({ params: named, query: { limit, cursor }, sent, admin }, { view, fetchLog }) => {
      const { catalogue } = await view();
      const { id: sourceId } = resolve(catalogue, named, admin);
      const scope = { feed: 'fetch-log', entity: sourceId, filters: knownParameters(logQuery, sent) };
      const after = cursor === null ? null : decodeCursor(cursor, scope, entryPosition);
      // One entry more than asked for tells whether a page follows.
      const found = await fetchLog.page({ sourceId, limit: limit + 1, ...(after && { after }) });
      const entries = found.slice(0, limit);
      const last = entries.at(-1);
      const hasMore = found.length > limit && last !== undefined;
      const nextCursor = hasMore ? encodeCursor({ ...scope, position: [last.createdMs, last.id] }) : null;
      const items = entries.map((entry) => fetchLogRecord(catalogue, entry)).filter((item) => item !== null);
      return { status: 200, body: { items, pagination: { nextCursor, limit } } };
    },
  });

const allFetches = defineRoute({
  method: 'GET',
  path: '/admin/logs/fetch',
  tag: 'Sources',
  summary: 'How all sources were fetched, the newest first',
  extension: true,
  access: 'admin',
  params: z.object({}),
  query: z.object({ limit: sizeParam({ fallback: 20, max: 500 }), status: enumParam(fetchStatuses) }),
  reads: catalogueReads,
  responses: { 200: fetchLogList },
  handle: async ({ query: { limit, status } }, { view, fetchLog }) => {
    const { catalogue } = await view();
    const entries = await fetchLog.newestOf(status, limit);
    return {
      status: 200,
      body: entries.map((entry) => fetchLogRecord(catalogue, entry)).filter((item) => item !== null),
    };
  },
});

export const fetchRoutes: readonly Route[] = [
  askForFetchOf(sourceByItself),
  askForFetchOf(sourceBelowOrg),
  fetchLogOf(sourceByItself),
  fetchLogOf(sourceBelowOrg),
  allFetches,
];
