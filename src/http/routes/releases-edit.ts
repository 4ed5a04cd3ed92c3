import { z } from 'zod';
import { changeRelease } from '../../../commands/release/change-release.ts';
import { eraseRelease } from '../../../commands/release/erase-release.ts';
import { instantsProjection } from '../../../projections/instants/instants.ts';
import { pendingProjection } from '../../../projections/pending/pending.ts';
import { releaseDetailProjection } from '../../../projections/release-detail/release-detail.ts';
import { releaseFeedReads } from '../../../queries/feed/release-feed-answer.ts';
import { isSourceVisible } from '../../catalogue/visibility.ts';
import { releaseChanges } from '../../domain/release/fields.ts';
import { DomainError } from '../../kernel/errors.ts';
import { releaseIdOfPath } from '../../kernel/ids.ts';
import { erasedRelease, releaseDetail } from '../answers/release.ts';
import { defineRoute, type Route } from '../route.ts';
import type { ReadView } from '../services.ts';
import { writtenRelease, writtenReleaseReads } from './written-release.ts';

const byId = z.object({ id: z.string() });

const releaseIdOf = (segment: string): string => {
  const id = releaseIdOfPath(segment);
  if (id === null) throw new DomainError('not_found', 'release');
  return id;
};

/** Below what is hidden only admins work. A date in the future hides a release from readers, not from writers. */
async function checkSource(view: ReadView, id: string): Promise<void> {
  const [release] = await view.models.of(releaseDetailProjection).get([id]);
  const source = release && view.catalogue.source(release.sourceId);
  if (source === undefined || !isSourceVisible(view.catalogue, source)) throw new DomainError('not_found', 'release');
}

const change = defineRoute({
  method: 'PATCH',
  path: '/releases/:id',
  tag: 'releases',
  summary: 'Change fields of a release; null takes a value back',
  extension: true,
  access: 'write',
  params: byId,
  query: z.object({}),
  body: releaseChanges,
  reads: writtenReleaseReads,
  responses: { 200: releaseDetail },
  handle: async (request, services) => {
    const { params, body: changes, command, admin } = request;
    const releaseId = releaseIdOf(params.id);
    if (!admin) await checkSource(await services.view(), releaseId);
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
  tag: 'releases',
  summary: 'Erase a release; its text is gone when this answers',
  extension: true,
  access: 'admin',
  params: byId,
  query: z.object({}),
  reads: erasedReads,
  responses: { 200: erasedRelease },
  handle: async ({ params, command }, { commands, erased, forgetAnswers, viewAfter }) => {
    const releaseId = releaseIdOf(params.id);
    const { position } = await commands.run(eraseRelease, { releaseId }, command);
    await erased(position);
    await viewAfter(erasedReads, position);
    await forgetAnswers(releaseId);
    return { status: 200, body: { deleted: true }, position };
  },
});

export const releaseEditRoutes: readonly Route[] = [change, erase];
