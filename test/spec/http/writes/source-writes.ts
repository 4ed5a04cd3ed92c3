import type { Maker, WriteCases, WriteRequest } from './write-case.ts';

const onHideable = { needs: 'write', subject: 'hideable' } as const;

const byItself = async ({ source }: Maker): Promise<WriteRequest> => {
  const path = `/sources/${(await source()).id}`;
  return { path, subject: path };
};
const belowOrg = async ({ source }: Maker): Promise<WriteRequest> => {
  const { orgSlug, slug } = await source();
  const path = `/orgs/${orgSlug}/sources/${slug}`;
  return { path, subject: path };
};
const renamed = (address: typeof byItself) => async (make: Maker) => ({
  ...(await address(make)),
  body: { name: make.name() },
});
/** What is sent to the source. */
const below = (address: typeof byItself, rest: string, body: (title: string) => object) => async (make: Maker) => {
  const { path, subject } = await address(make);
  return { path: `${path}${rest}`, body: body(make.name()), subject: subject ?? path };
};
/** Only repositories have files. */
const ofRepository = (address: typeof byItself) => async (make: Maker) => {
  const request = await address(make);
  await make.patch(`/v1${request.path}`, { type: 'github' });
  return request;
};
const one = (title: string) => ({ title });
const batch = (title: string) => ({ releases: [{ title }] });
const changelog = (title: string) => ({ path: 'CHANGELOG.md', content: `# ${title}` });
const summary = (title: string) => ({ type: 'monthly', summary: title, releaseCount: 1, year: 2026, month: 1 });

export const sourceWrites: WriteCases = {
  'POST /lookups': {
    idempotent: true,
    needs: 'write',
    request: async ({ name }) => ({ path: '/lookups', body: { provider: 'github', coordinate: `acme/${name()}` } }),
  },
  'POST /sources': {
    idempotent: true,
    needs: 'write',
    adminFields: { isHidden: true },
    request: async ({ name }) => ({ path: '/sources', body: { name: name(), url: 'https://example.com/news' } }),
  },
  'PATCH /sources/:slug': { ...onHideable, adminFields: { isHidden: true }, request: renamed(byItself) },
  'PATCH /orgs/:orgSlug/sources/:sourceSlug': {
    ...onHideable,
    adminFields: { isHidden: true },
    request: renamed(belowOrg),
  },
  'DELETE /sources/:slug': { ...onHideable, adminQuery: ['hard'], request: byItself },
  'DELETE /orgs/:orgSlug/sources/:sourceSlug': { ...onHideable, adminQuery: ['hard'], request: belowOrg },
  'POST /sources/:slug/restore': {
    needs: 'admin',
    request: async ({ source, remove }) => {
      const { id } = await source();
      await remove(`/v1/sources/${id}`);
      return { path: `/sources/${id}/restore` };
    },
  },
  'POST /sources/:slug/releases': { idempotent: true, ...onHideable, request: below(byItself, '/releases', one) },
  'POST /sources/:slug/releases/batch': {
    idempotent: true,
    ...onHideable,
    request: below(byItself, '/releases/batch', batch),
  },
  'POST /orgs/:orgSlug/sources/:sourceSlug/releases': {
    idempotent: true,
    ...onHideable,
    request: below(belowOrg, '/releases', one),
  },
  'POST /orgs/:orgSlug/sources/:sourceSlug/releases/batch': {
    idempotent: true,
    ...onHideable,
    request: below(belowOrg, '/releases/batch', batch),
  },
  'PUT /sources/:slug/changelog': { ...onHideable, request: below(ofRepository(byItself), '/changelog', changelog) },
  'PUT /orgs/:orgSlug/sources/:sourceSlug/changelog': {
    ...onHideable,
    request: below(ofRepository(belowOrg), '/changelog', changelog),
  },
  'POST /sources/:slug/fetch': {
    idempotent: true,
    ...onHideable,
    request: below(byItself, '/fetch', () => ({ dryRun: true })),
  },
  'POST /orgs/:orgSlug/sources/:sourceSlug/fetch': {
    idempotent: true,
    ...onHideable,
    request: below(belowOrg, '/fetch', () => ({ dryRun: true })),
  },
  'POST /sources/:slug/summaries': { idempotent: true, ...onHideable, request: below(byItself, '/summaries', summary) },
  'POST /orgs/:orgSlug/sources/:sourceSlug/summaries': {
    idempotent: true,
    ...onHideable,
    request: below(belowOrg, '/summaries', summary),
  },
};
