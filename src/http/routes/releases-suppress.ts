import { z } from 'zod';
import { suppressReleases } from '../../../commands/release/suppress-releases.ts';
import { unsuppressRelease } from '../../../commands/release/unsuppress-release.ts';
import { releaseFeedProjection } from '../../../projections/release-feed/release-feed.ts';
import { decisionReason } from '../../domain/release/fields.ts';
import { notFound } from '../../kernel/errors.ts';
import { releaseId } from '../../kernel/ids.ts';
import { suppressedReleases, suppression } from '../answers/release-suppression.ts';
import { defineRoute, type Route } from '../route.ts';
import { byReleaseId, missingReleases, releaseIdOf, requireReleases } from './release-address.ts';
import { writtenReleaseReads } from './written-release.ts';

const reasonBody = z.strictObject({ reason: decisionReason });
const batchBody = z.strictObject({ ids: z.array(releaseId).min(1).max(500), reason: decisionReason });

/** What both directions have in common: one release, and perhaps a reason. */
const decisionOnOne = {
  method: 'POST',
  tag: 'Releases',
  extension: true,
  access: 'write',
  params: byReleaseId,
  query: z.object({}),
  body: reasonBody,
  bodyOptional: true,
  reads: writtenReleaseReads,
  responses: { 200: suppression },
} as const;

const suppress = defineRoute({
  ...decisionOnOne,
  path: '/releases/:id/suppress',
  summary: 'Take a release down; a reason that is sent takes the place of the one before',
  handle: async ({ params, body, command, admin }, { view, viewAfter, batches }) => {
    const id = releaseIdOf(params.id);
    await requireReleases(await view(), [id], admin);
    const input = { releaseIds: [id], reason: body?.reason };
    const { results, position } = await batches.run(suppressReleases, input, { ...command, cause: 'suppress' });
    const { suppressed, reason } = results[0]!;
    if (!suppressed) throw notFound('release', id);
    await viewAfter(writtenReleaseReads, position);
    return { status: 200, body: { id, suppressed, suppressedReason: reason }, position };
  },
});

const unsuppress = defineRoute({
  ...decisionOnOne,
  path: '/releases/:id/unsuppress',
  summary: 'Bring a release back that was taken down',
  handle: async ({ params, body, command, admin }, { view, viewAfter, commands }) => {
    const id = releaseIdOf(params.id);
    await requireReleases(await view(), [id], admin);
    const input = { releaseId: id, reason: body?.reason };
    const { position } = await commands.run(unsuppressRelease, input, { ...command, cause: 'unsuppress' });
    await viewAfter(writtenReleaseReads, position);
    return { status: 200, body: { id, suppressed: false, suppressedReason: null }, position };
  },
});

const suppressMany = defineRoute({
  method: 'POST',
  path: '/releases/batch-suppress',
  tag: 'Releases',
  summary:
    'Take up to 500 releases down; `suppressed` counts all of them that are down then, also those that were before',
  extension: true,
  access: 'write',
  params: z.object({}),
  query: z.object({}),
  body: batchBody,
  reads: writtenReleaseReads,
  responses: { 200: suppressedReleases },
  handle: async ({ body, command, admin }, { view, viewAfter, batches }) => {
    const ids = [...new Set(body.ids)];
    const seen = await view();
    const missing = await missingReleases(seen, ids, admin);
    const releaseIds = ids.filter((id) => !missing.has(id));
    const input = { releaseIds, reason: body.reason };
    const nothing = { results: [], position: 0 };
    const { results, position: written } =
      releaseIds.length === 0 ? nothing : await batches.run(suppressReleases, input, { ...command, cause: 'suppress' });
    const down = new Set(results.filter(({ suppressed }) => suppressed).map(({ id }) => id));
    await viewAfter(writtenReleaseReads, written);
    // Where none of them has a stream, the feed is the highest that was read.
    const position = written || (await seen.models.of(releaseFeedProjection).checkpoint());
    return { status: 200, body: { suppressed: down.size, notFound: ids.filter((id) => !down.has(id)) }, position };
  },
});

export const releaseSuppressRoutes: readonly Route[] = [suppressMany, suppress, unsuppress];
