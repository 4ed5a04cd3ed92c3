import { z } from 'zod';
import { claimCoverage } from '../../../commands/release/claim-coverage.ts';
import {
  releaseCoverage as releaseCoverageQuery,
  releaseCoverageReads,
} from '../../../queries/releases/release-coverage.ts';
import { decidedBy, decisionReason } from '../../domain/release/fields.ts';
import { releaseId } from '../../kernel/ids.ts';
import { parseInput } from '../../kernel/parse-input.ts';
import { linkCoverage } from '../../use-cases/link-coverage.ts';
import { unlinkCoverage } from '../../use-cases/unlink-coverage.ts';
import { coverageLinked, coverageUnlinked, releaseCoverage } from '../answers/release-coverage.ts';
import { defineRoute, type Route } from '../route.ts';
import { byReleaseId, releaseIdOf, requireReleases } from './release-address.ts';
import { writtenReleaseReads } from './written-release.ts';

/** Of a caller that does not say who decided. */
const unnamedDecider = 'agent:api';

const linkBody = z.strictObject({
  coverageIds: z.array(releaseId).min(1).max(50),
  reason: decisionReason,
  decidedBy: decidedBy.default(unnamedDecider),
});

const read = defineRoute({
  method: 'GET',
  path: '/releases/:id/coverage',
  tag: 'Releases',
  summary: 'What a release covers, or what covers it',
  extension: true,
  access: 'public',
  params: byReleaseId,
  query: z.object({}),
  cache: 'entity',
  reads: releaseCoverageReads,
  responses: { 200: releaseCoverage },
  handle: async ({ params, nowMs, admin }, { view }) => ({
    status: 200,
    body: await releaseCoverageQuery(await view(), { release: params.id }, { nowMs, admin }),
  }),
});

const link = defineRoute({
  method: 'POST',
  path: '/releases/:id/coverage',
  tag: 'Releases',
  summary: 'Link releases that only cover this one; `linked` counts the links that were not there before',
  extension: true,
  access: 'write',
  params: byReleaseId,
  query: z.object({}),
  body: linkBody,
  idempotent: true,
  reads: writtenReleaseReads,
  responses: { 201: coverageLinked },
  handle: async ({ params, body, command, admin }, services) => {
    const canonicalId = releaseIdOf(params.id);
    const coverageIds = [...new Set(body.coverageIds)];
    parseInput(claimCoverage.input, { canonicalId, coverageIds }); // refused whether there are such releases or not
    await requireReleases(await services.view(), [canonicalId, ...coverageIds], admin);
    const links = { ...body, canonicalId, coverageIds };
    const { linked, position } = await linkCoverage(services, links, { ...command, cause: 'coverage' });
    await services.viewAfter(writtenReleaseReads, position);
    return { status: 201, body: { canonicalId, coverageIds, linked }, position };
  },
});

const unlink = defineRoute({
  method: 'DELETE',
  path: '/releases/:id/coverage',
  tag: 'Releases',
  summary: 'End the link of a release that covers another one, or all links to one that others cover',
  extension: true,
  access: 'write',
  params: byReleaseId,
  query: z.object({}),
  reads: writtenReleaseReads,
  responses: { 200: coverageUnlinked },
  handle: async ({ params, command, admin }, services) => {
    const id = releaseIdOf(params.id);
    await requireReleases(await services.view(), [id], admin);
    const { unlinked, position } = await unlinkCoverage(services, id, { ...command, cause: 'coverage' });
    await services.viewAfter(writtenReleaseReads, position);
    return { status: 200, body: { unlinked }, position };
  },
});

export const releaseCoverageRoutes: readonly Route[] = [read, link, unlink];
