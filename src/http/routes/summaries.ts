import { type ZodObject, z } from 'zod';
import { writeSummary } from '../../../commands/summary/write-summary.ts';
import { summariesProjection } from '../../../projections/summaries/summaries.ts';
import { summaryRecord } from '../../../queries/shape/source/summary.ts';
import { summariesList, summariesMax, summariesReads } from '../../../queries/sources/summaries-list.ts';
import { summaryTypes } from '../../domain/enumerations.ts';
import { summaryFields, summaryMonths, summaryYears } from '../../domain/summary/fields.ts';
import { summaries, summary } from '../answers/summary.ts';
import { enumParam, identifierParam, integerParam } from '../request/query-params.ts';
import { defineRoute, type Route } from '../route.ts';
import { type SourceAddress, sourceBelowOrg, sourceByItself } from './source-addresses.ts';

const listSummaries = defineRoute({
  method: 'GET',
  path: '/summaries',
  tag: 'Summaries',
  summary: 'The summaries of a source, the newest first',
  description: `At most ${summariesMax}, and there is no second page: older ones are found by \`year\` or \`month\`.`,
  access: 'public',
  params: z.object({}),
  query: z.object({
    sourceSlug: identifierParam,
    sourceId: identifierParam,
    type: enumParam(summaryTypes),
    year: integerParam(summaryYears),
    month: integerParam(summaryMonths),
  }),
  cache: 'entity',
  reads: summariesReads,
  responses: { 200: summaries },
  handle: async ({ query, admin }, { view }) => ({
    status: 200,
    body: await summariesList(await view(), query, { admin }),
  }),
});

const writeSummaryOf = <Params extends ZodObject>({ path, params, resolve }: SourceAddress<Params>): Route =>
  defineRoute({
    method: 'POST',
    path: `${path}/summaries`,
    tag: 'Summaries',
    summary: 'Write about the last days or about a month of a source',
    extension: true,
    access: 'write',
    params,
    query: z.object({}),
    body: summaryFields,
    idempotent: true,
    reads: summariesReads,
    responses: { 200: summary },
    handle: async ({ params: named, body: fields, admin, command }, services) => {
      const source = resolve((await services.view()).catalogue, named, admin);
      const { id, position } = await services.commands.run(writeSummary, { sourceId: source.id, fields }, command);
      const { models } = await services.viewAfter(summariesReads, position);
      const [written] = await models.of(summariesProjection).get([id]);
      // A purge finds an answer that was kept for repeats by the source that it tells of.
      return { status: 200, position, releaseIds: [source.id], body: summaryRecord(source, written!) };
    },
  });

export const summaryRoutes: readonly Route[] = [
  listSummaries,
  writeSummaryOf(sourceByItself),
  writeSummaryOf(sourceBelowOrg),
];
