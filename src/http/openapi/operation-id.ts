import type { Route } from '../route.ts';

/** Where the rule below would give a name that nobody would look for. */
const ownIds: Readonly<Record<string, string>> = {
  'GET ': 'getIndex',
  'GET /openapi.json': 'getOpenApiDocument',
  'GET /schemas/manifest-2.json': 'getManifestSchema',
  'GET /health/live': 'getLiveness',
  'GET /health/ready': 'getReadiness',
  'POST /orgs/stub': 'createStubOrg',
  'POST /orgs/:slug/request-tracking': 'requestOrgTracking',
  'GET /orgs/:org/resolve/:slug': 'resolveOrgSlug',
  'GET /releases/latest': 'listLatestReleases',
  'POST /releases/batch-suppress': 'suppressReleases',
  'POST /sources/:slug/releases': 'ingestSourceRelease',
  'POST /sources/:slug/releases/batch': 'ingestSourceReleases',
  'POST /orgs/:orgSlug/sources/:sourceSlug/releases': 'ingestOrgSourceRelease',
  'POST /orgs/:orgSlug/sources/:sourceSlug/releases/batch': 'ingestOrgSourceReleases',
  'POST /releases/:id/coverage': 'linkReleaseCoverage',
  'DELETE /releases/:id/coverage': 'unlinkReleaseCoverage',
  'GET /docs': 'getReference',
  'GET /.well-known/api-catalog': 'getApiCatalog',
  'GET /lookups/by-domain': 'lookUpDomain',
  'GET /lookups/source-by-slug': 'lookUpSourceSlug',
  'GET /lookups/product-by-slug': 'lookUpProductSlug',
  'POST /lookups': 'lookUpRepository',
  'GET /search': 'search',
  'GET /search/releases': 'searchReleases',
  // Not `list`: a registry may have nothing that is alike.
  'GET /related/releases': 'getRelatedReleases',
  'GET /related/sources': 'getRelatedSources',
  'GET /tokens/me': 'getOwnToken',
  'GET /admin/logs/fetch': 'getFetchLog',
};

/** What there are several of, as paths name it. */
const lists = new Set([
  ...['orgs', 'products', 'sources', 'releases', 'recent-releases', 'collections', 'categories', 'tags', 'accounts'],
  ...['members', 'summaries', 'tokens', 'webhooks', 'deliveries'],
]);

const singular = (word: string): string => word.replace(/ies$/, 'y').replace(/s$/, '');

const capitalized = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

const camelCased = (words: readonly string[]): string =>
  words
    .flatMap((word) => word.split('-'))
    .map(capitalized)
    .join('');

/** What is on the pages of the web, which have the same answers in several forms. */
const pageNames: Readonly<Record<string, string>> = {
  '/:org': 'OrgPage',
  '/:org/:slug': 'PartPage',
  '/source/:slug': 'SourcePage',
  '/release/:release': 'ReleasePage',
  '/collections/:slug': 'CollectionPage',
  '/categories/:slug': 'CategoryPage',
};
const formNames: Readonly<Record<string, string>> = { json: 'Json', md: 'Markdown', atom: 'Atom' };

function pageIdOf(path: string): string | undefined {
  const [page = '', suffix = ''] = path.split('.');
  return pageNames[page] && formNames[suffix] && `get${pageNames[page]}As${formNames[suffix]}`;
}

const verbs = { GET: 'get', POST: 'create', PUT: 'set', PATCH: 'update', DELETE: 'delete' } as const;

/** As a generated client calls it: `listOrgReleases`, `getOrg`, `promoteOrg`. */
export function operationIdOf({ method, path }: Pick<Route, 'method' | 'path'>): string {
  const own = ownIds[`${method} ${path}`] ?? pageIdOf(path);
  if (own !== undefined) return own;
  const segments = path.split('/').slice(1);
  const words = segments.flatMap((segment, index) => {
    if (segment.startsWith(':')) return [];
    return [segments[index + 1]?.startsWith(':') && lists.has(segment) ? singular(segment) : segment];
  });
  const last = segments.at(-1)!;
  const owners = words.slice(0, -1);
  if (last.startsWith(':')) return verbs[method] + camelCased(words);
  if (lists.has(last)) {
    if (method === 'GET') return `list${camelCased(words)}`;
    return verbs[method] + camelCased(method === 'POST' ? [...owners, singular(last)] : words);
  }
  // Below a thing, a POST names what is done with it.
  return method === 'POST' ? last + camelCased(owners) : verbs[method] + camelCased(words);
}
