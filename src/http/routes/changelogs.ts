import { type ZodObject, z } from 'zod';
import { changelogFileId, changelogFilesProjection } from '../../../projections/changelog-files/changelog-files.ts';
import { changelogReads, changelogSlice as changelogSliceQuery } from '../../../queries/sources/changelog-slice.ts';
import { changelogFileRecord } from '../../../queries/shape/source/changelog-file.ts';
import { changelogFields } from '../../domain/changelog/fields.ts';
import { refreshChangelog } from '../../use-cases/fetching/refresh-changelog.ts';
import { storeChangelog } from '../../use-cases/store-changelog.ts';
import { changelogFile, changelogSlice } from '../answers/changelog.ts';
import { clampedParam, identifierParam, offsetParam } from '../request/query-params.ts';
import { bodyBytesLarge, defineRoute, type Route } from '../route.ts';
import { type SourceAddress, sourceBelowOrg, sourceByItself } from './source-addresses.ts';

const limitMax = 500_000;
const tokensMax = 200_000;

const showChangelogOf = <Params extends ZodObject>(
  { path, params, resolve }: SourceAddress<Params>,
  { extension }: { readonly extension: boolean },
): Route =>
  defineRoute({
    method: 'GET',
    path: `${path}/changelog`,
    tag: 'Sources',
    summary: 'The changelog file of a repository, or a part of it between two headings',
    extension,
    access: 'public',
    params,
    query: z.object({
      path: identifierParam,
      offset: offsetParam,
      limit: clampedParam({ max: limitMax }),
      tokens: clampedParam({ max: tokensMax }),
    }),
    cache: 'entity',
    reads: changelogReads,
    responses: { 200: changelogSlice },
    handle: async ({ params: named, query, admin, nowMs }, services) => {
      const view = await services.view();
      const source = resolve(view.catalogue, named, admin);
      const body = await changelogSliceQuery(view, source, query);
      const { fetchStates } = view;
      refreshChangelog(services, source, { fetchedAt: body.fetchedAt, nowMs, fetchStates });
      return { status: 200, body };
    },
  });

const storeChangelogOf = <Params extends ZodObject>({ path, params, resolve }: SourceAddress<Params>): Route =>
  defineRoute({
    method: 'PUT',
    path: `${path}/changelog`,
    tag: 'Sources',
    summary: 'Store a changelog file of a repository',
    extension: true,
    access: 'write',
    params,
    query: z.object({}),
    body: changelogFields,
    bodyBytesMax: bodyBytesLarge,
    reads: changelogReads,
    responses: { 200: changelogFile },
    handle: async ({ params: named, body: file, admin, command }, services) => {
      const source = resolve((await services.view()).catalogue, named, admin);
      const { position } = await storeChangelog(services, { sourceId: source.id, file }, command);
      const { models } = await services.viewAfter(changelogReads, position);
      const [stored] = await models.of(changelogFilesProjection).get([changelogFileId(source.id, file.path)]);
      return { status: 200, position, body: changelogFileRecord(source, stored!) };
    },
  });

export const changelogRoutes: readonly Route[] = [
  showChangelogOf(sourceByItself, { extension: false }),
  showChangelogOf(sourceBelowOrg, { extension: true }),
  storeChangelogOf(sourceByItself),
  storeChangelogOf(sourceBelowOrg),
];
