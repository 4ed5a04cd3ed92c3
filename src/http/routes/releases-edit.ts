import { z } from 'zod';
import { changeRelease } from '../../../commands/release/change-release.ts';
import { instantsProjection } from '../../../projections/instants/instants.ts';
import { pendingProjection } from '../../../projections/pending/pending.ts';
import { releaseFeedReads } from '../../../queries/feed/release-feed-answer.ts';
import { releaseChanges } from '../../domain/release/fields.ts';
import { eraseRelease } from '../../use-cases/erase-release.ts';
import { erasedRelease, releaseDetail } from '../answers/release.ts';
import { defineRoute, type Route } from '../route.ts';
import { byReleaseId, releaseIdOf, requireReleases } from './release-address.ts';
import { writtenRelease, writtenReleaseReads } from './written-release.ts';

const change = defineRoute({
  method: 'PATCH',
  path: '/releases/:id',
  tag: 'Releases',
  summary: 'Change fields of a release; null takes a value back',
  extension: true,
  access: 'write',
  params: byReleaseId,
  query: z.object({}),
  body: releaseChanges,
  reads: writtenReleaseReads,
  responses: { 200: releaseDetail },
  handle: async (request, services) => {
    const { params, body: changes, command, admin } = request;
    const releaseId = releaseIdOf(params.id);
    if (!admin) await requireReleases(await services.view(), [releaseId], admin);
    const contentTokens = changes.content ? (await services.tokenCounter.countMany([changes.content]))[0] : null;
    const input = { releaseId, changes, contentTokens, webBaseUrl: services.webBaseUrl };
    const { position } = await services.commands.run(changeRelease, input, command);
    const view = await services.viewAfter(writtenReleaseReads, position);
    return { status: 200, body: await writtenRelease(view, releaseId, request), position };
  },
});

/** Everywhere that a release leaves a trace. */
const erasedReads = [...releaseFeedReads, instantsProjection, pendingProjection];

const erase = defineRoute({
  method: 'DELETE',
  path: '/releases/:id',
  tag: 'Releases',
  summary: 'Erase a release; its text is gone when this answers',
  extension: true,
  access: 'admin',
  params: byReleaseId,
  query: z.object({}),
  reads: erasedReads,
  responses: { 200: erasedRelease },
  handle: async ({ params, command }, services) => {
    const releaseId = releaseIdOf(params.id);
    const { position } = await eraseRelease(services, releaseId, command);
    await services.erased(position);
    await services.viewAfter(erasedReads, position);
    return { status: 200, body: { deleted: true }, position };
  },
});

export const releaseEditRoutes: readonly Route[] = [change, erase];
