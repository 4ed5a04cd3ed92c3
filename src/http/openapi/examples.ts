import type { Route } from '../route.ts';
import { operationIdOf } from './operation-id.ts';

/** Made up; every registry has others. */
export const exampleIds = {
  org: 'org_4Zq9XbTt2LmKc7RvHs1Pd',
  product: 'prod_8HnWq3sYx6VtBe1LkJr5M',
  source: 'src_5dR8mK1vQz0YtH6nBx3Lp',
  release: 'rel_VjU5mSzEZFJlSjXAUMms4',
  coverage: 'rel_giOdDrhIpVUYbcf2NYwJg',
  token: 'tok_2PfMz7GdRa9QwUx4Ck8Tn',
  webhook: 'whk_6LsVb1HyNc3JqEo5Di7Ft',
} as const;

/** By the part of the path that stands before the parameter. */
const pathValues: Readonly<Record<string, string>> = {
  orgs: 'acme',
  products: exampleIds.product,
  sources: 'rocket-cli',
  releases: exampleIds.release,
  collections: 'command-line-tools',
  categories: 'developer-tools',
  members: exampleIds.org,
  tags: 'cli',
  accounts: 'github',
  ':platform': 'acme',
  resolve: 'rocket-cli',
  source: 'weather',
  // With the words that its title is: by its id alone it leads there.
  release: `${exampleIds.release}-faster-rockets`,
  tokens: exampleIds.token,
  webhooks: exampleIds.webhook,
};

const ownPathValues: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  // These are not tracked, …
  promoteOrg: { slug: 'initech' },
  requestOrgTracking: { slug: 'vandelay' },
  // … and this one is, but has no sources.
  demoteOrg: { slug: 'umbrella' },
  // What is deleted has given its slug away.
  restoreOrg: { slug: exampleIds.org },
  restoreSource: { slug: exampleIds.source },
  // One source is not fetched twice within a minute.
  fetchSource: { slug: 'weather' },
};

const queryValues: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  listSourceRecentReleases: { cutoff: '2026-01-01' },
  listOrgSourceRecentReleases: { cutoff: '2026-01-01' },
  lookUpDomain: { domain: 'acme.example' },
  lookUpSourceSlug: { slug: 'rocket-cli' },
  lookUpProductSlug: { slug: 'rocket' },
  listSummaries: { sourceSlug: 'rocket-cli' },
  search: { q: 'rockets with wings' },
  getRelatedReleases: { release: exampleIds.release },
  getRelatedSources: { source: 'rocket-cli' },
  searchReleases: { q: 'rockets with wings' },
  getWhatsChanged: { package: 'rocket-cli', from: '1.0.0', to: '2.0.0' },
};

const described = { description: 'Rockets for everybody.' };
const tags = { tags: ['cli', 'rockets'] };
const overview = { content: 'Acme ships a faster rocket every month.', releaseCount: 3 };
const release = {
  version: '2.1.0',
  title: 'Faster rockets',
  content: '## Added\n- Wings\n\n## Fixed\n- They no longer fall over\n',
  publishedAt: '2026-03-01T12:00:00.000Z',
};
const changelog = { path: 'CHANGELOG.md', content: '# Changelog\n\n## 2.0.0\n- Wings\n' };
const summary = { type: 'monthly', year: 2026, month: 3, summary: 'Wings, and fewer falls.', releaseCount: 2 };
const renamedSource = { name: 'Rocket command line' };

const bodies: Readonly<Record<string, object>> = {
  createStubOrg: { name: 'Hooli', domain: 'hooli.example', locations: [{ url: 'https://hooli.example/news' }] },
  createOrg: { name: 'Globex', domain: 'globex.example', category: 'developer-tools', ...described },
  updateOrg: described,
  createOrgAccount: { platform: 'github', handle: 'acme-labs' },
  setOrgTags: tags,
  createOrgTag: tags,
  setProductTags: tags,
  createProductTag: tags,
  setOrgOverview: overview,
  setProductOverview: overview,
  setOrgPlaybook: { content: 'Read the pages of the blog that are tagged releases.' },
  createProduct: { name: 'Booster', orgId: exampleIds.org },
  updateProduct: described,
  updateOrgProduct: described,
  createSource: { name: 'Booster news', url: 'https://acme.example/booster/news', orgId: exampleIds.org },
  updateSource: renamedSource,
  updateOrgSource: renamedSource,
  setSourceChangelog: changelog,
  setOrgSourceChangelog: changelog,
  createSourceSummary: summary,
  createOrgSourceSummary: summary,
  ingestSourceRelease: release,
  ingestOrgSourceRelease: release,
  ingestSourceReleases: { releases: [release] },
  ingestOrgSourceReleases: { releases: [release] },
  fetchSource: { force: true },
  fetchOrgSource: { dryRun: true },
  updateRelease: { titleShort: 'Wings' },
  suppressReleases: { ids: [exampleIds.coverage], reason: 'Published by mistake' },
  suppressRelease: { reason: 'Published by mistake' },
  unsuppressRelease: { reason: 'It was none' },
  linkReleaseCoverage: { coverageIds: [exampleIds.coverage], reason: 'The same launch' },
  lookUpRepository: { provider: 'github', coordinate: 'acme/rocket-cli' },
  createCollection: { name: 'Databases', isFeatured: true },
  updateCollection: { description: 'What runs in a terminal.' },
  setCollectionMembers: { members: [{ orgId: exampleIds.org }] },
  createCollectionMember: { productId: exampleIds.product },
  createTag: { name: 'Terminals' },
  setSiteNotice: {
    active: true,
    message: 'A new search is here',
    placement: 'home',
    color: '#3366FF',
    dismissible: true,
  },
  createToken: { name: 'Nightly import', scopes: ['write'] },
  updateToken: { name: 'Weekly import' },
  createWebhook: { orgId: exampleIds.org, url: 'https://hooks.example/releases' },
};

/** On the pages of the web orgs stand at the root. */
const atRoot: Readonly<Record<string, string>> = { org: 'acme', slug: 'rocket-cli' };

/** Slugs stand below the org that they belong to. */
const valueBefore = (segments: readonly string[], index: number, name: string): string | undefined => {
  const before = segments[index - 1] ?? ':';
  if (before.startsWith(':') && before !== ':platform') return atRoot[name];
  return before === 'products' && segments[0] === 'orgs' ? 'rocket' : pathValues[before];
};

export interface RouteExample {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly body: object | undefined;
}

/** A request that a registry answers which holds what it names. */
export function exampleOf(route: Pick<Route, 'method' | 'path'>): RouteExample {
  const operationId = operationIdOf(route);
  const segments = route.path.split('/').slice(1);
  const params = segments.flatMap((segment, index) => {
    const [, name] = /^:(\w+)/.exec(segment) ?? [];
    if (name === undefined) return [];
    const value = ownPathValues[operationId]?.[name] ?? valueBefore(segments, index, name);
    if (value === undefined) throw new Error(`${route.method} ${route.path} has no example of ${name}`);
    return [[name, value] as const];
  });
  return { params: Object.fromEntries(params), query: queryValues[operationId] ?? {}, body: bodies[operationId] };
}
