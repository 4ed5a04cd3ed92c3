import type { Answer as RouteAnswer, Route } from '../../../src/http/route.ts';
import { listCategoryReleases } from '../../../src/http/routes/categories.ts';
import { listCollectionReleases } from '../../../src/http/routes/collections-read.ts';
import { showOrg } from '../../../src/http/routes/orgs-read.ts';
import { showProduct } from '../../../src/http/routes/products-read.ts';
import { showBareSource, showSource } from '../../../src/http/routes/sources-read.ts';
import { webRoutes } from '../../../src/http/routes/web/web-pages.ts';
import type { Services } from '../../../src/http/services.ts';
import { createFakeClock } from '../fake-clock.ts';
import { parseAtom } from '../forms/parse-atom.ts';
import { comparableAtom, naiveAtom } from '../naive/naive-atom.ts';
import { naiveCategoryName, sourcesOfCategory } from '../naive/naive-categories.ts';
import { sourcesOfCollection } from '../naive/naive-collections.ts';
import { naiveFeed } from '../naive/naive-feed.ts';
import type { NaiveSource } from '../naive/naive-registry.ts';
import { lastToLeave } from '../naive/naive-slugs.ts';
import { sourcesOfOrg, sourcesOfProduct } from '../naive/naive-view.ts';
import { someCategories } from './compare-categories.ts';
import { answerOf, type Comparison, Difference, same } from './comparison.ts';

const webRoute = (path: string): Route => {
  const route = webRoutes.find((each) => each.path === path);
  if (route === undefined) throw new Error(`there is no ${path}`);
  return route;
};

type Params = Readonly<Record<string, string>>;

/** Asks routes as the server would, over the read models of a comparison. */
const askingOf = ({ reading, view }: Comparison) => {
  const { webBaseUrl } = reading;
  const services = { view: async () => reading, webBaseUrl, clock: createFakeClock(view.nowMs) };
  return (route: Route, params: Params): Promise<RouteAnswer> =>
    route.handle(
      {
        params,
        query: route.query.parse({}),
        sent: {},
        body: undefined,
        caller: { kind: 'anonymous', invalidCredential: false },
        admin: false,
        nowMs: view.nowMs,
        minPosition: null,
        command: { commandId: '', actor: 'anonymous', correlationId: '', cause: 'edit' },
        isRepeatable: false,
        isJsonEnough: false,
      },
      services as unknown as Services,
    );
};

/** What is behind a path: the thing itself, where it moved, or why not. */
const leadsTo = async (ask: ReturnType<typeof askingOf>, path: string, params: Params) => {
  const answer = await answerOf(() => ask(webRoute(path), params));
  if ('refused' in answer) return answer;
  const { status, headers } = answer.answer as RouteAnswer;
  return status === 308 ? { to: headers?.['Location'] } : { status };
};

/** Whoever has only the date of a feed, and is told that the date is enough, has this very text. */
const requireProof = (
  { feedsSeen, view }: Comparison,
  what: string,
  { document, lastModified }: Pick<RouteAnswer, 'document' | 'lastModified'>,
): void => {
  if (document === undefined || lastModified === undefined) throw new Difference(`${what}: has no date`);
  const dated = `${what} ${Math.floor(lastModified.atMs / 1_000)}`;
  const earlier = feedsSeen?.get(dated);
  if (lastModified.isProof && earlier !== undefined && earlier !== document.text) {
    throw new Difference(`${what}: was another feed with the same date`);
  }
  // Whoever reads within the very second of the date may miss what comes in the rest of it: a date has no more.
  if (view.nowMs - lastModified.atMs >= 1_000) feedsSeen?.set(dated, document.text);
};

/** `.json` is the answer of the API, and `.atom` lists the default feed. */
export const compareWebPages = async (comparison: Comparison): Promise<void> => {
  const { view } = comparison;
  const ask = askingOf(comparison);

  const samePage = async (
    path: string,
    params: Params,
    api: readonly [Route, Params],
    { name, sources }: { readonly name: string; readonly sources: readonly NaiveSource[] },
  ) => {
    const what = `${path} ${JSON.stringify(params)}`;
    const { status, body } = await ask(webRoute(`${path}.json`), params);
    same(`${what}.json`, { status: 200, body: (await ask(...api)).body }, { status, body });
    const answer = await ask(webRoute(`${path}.atom`), params);
    const { document, lastModified } = answer;
    const feed = parseAtom(document?.text ?? '');
    const newest = naiveFeed(view, sources, { includePrereleases: false, includeCoverage: false }).slice(0, 50);
    same(`${what}.atom`, naiveAtom(view, name, newest), comparableAtom(feed));
    same(`${what}.atom, its date`, Math.min(Date.parse(feed.updated), view.nowMs), lastModified?.atMs);
    requireProof(comparison, `${what}.atom`, answer);
  };

  for (const org of view.orgs) {
    const { name } = org;
    const ofOrg = sourcesOfOrg(view, org.id);
    await samePage('/:org', { org: org.slug }, [showOrg, { slug: org.slug }], { name, sources: ofOrg });
    const products = view.products.filter(({ orgId }) => orgId === org.id);
    for (const { id, slug, ...product } of products) {
      const api = [showProduct, { orgSlug: org.slug, productSlug: slug }] as const;
      const of = { name: product.name, sources: sourcesOfProduct(view, id) };
      await samePage('/:org/:slug', { org: org.slug, slug }, api, of);
    }
    for (const source of ofOrg) {
      if (products.some(({ slug }) => slug === source.slug)) continue; // a product takes the place of a source
      const api = [showSource, { orgSlug: org.slug, sourceSlug: source.slug }] as const;
      const of = { name: source.name, sources: [source] };
      await samePage('/:org/:slug', { org: org.slug, slug: source.slug }, api, of);
    }
  }
  for (const { slug, ...row } of view.registry.collections.filter(({ deleted }) => !deleted)) {
    const of = { name: row.name, sources: sourcesOfCollection(view, { ...row, slug }) };
    await samePage('/collections/:slug', { slug }, [listCollectionReleases, { slug }], of);
  }
  for (const source of view.sources.filter(({ orgId }) => orgId === null)) {
    const { slug, name } = source;
    const of = { name, sources: [source] };
    await samePage('/source/:slug', { slug }, [showBareSource, { slug: source.id }], of);
  }
  for (const slug of someCategories) {
    const of = { name: naiveCategoryName(slug), sources: sourcesOfCategory(view, slug) };
    await samePage('/categories/:slug', { slug }, [listCategoryReleases, { slug }], of);
  }
};

/** A slug leads to who has it, else to who had it last; what is hidden is nowhere, and gives its slug to nobody. */
export const compareMovedPages = async (comparison: Comparison): Promise<void> => {
  const { view } = comparison;
  const { registry } = view;
  const ask = askingOf(comparison);
  for (const slug of new Set(registry.slugs.map((row) => row.slug))) {
    const holder = registry.orgs.find((row) => row.slug === slug && !row.deleted);
    const org =
      holder === undefined ? lastToLeave(registry, view.orgs, slug) : view.orgs.find(({ id }) => id === holder.id);
    const expected =
      org === undefined ? { refused: 'not_found' } : org === holder ? { status: 200 } : { to: `/${org.slug}.atom` };
    same(`where /${slug}.atom leads`, expected, await leadsTo(ask, '/:org.atom', { org: slug }));
  }
  for (const org of view.orgs) {
    const sources = sourcesOfOrg(view, org.id);
    const held = [...registry.products, ...registry.sources].filter((row) => row.orgId === org.id && !row.deleted);
    for (const slug of new Set(registry.slugs.map((row) => row.slug))) {
      if (held.some((row) => row.slug === slug)) continue;
      const source = lastToLeave(registry, sources, slug);
      const isShadowed = view.products.some((row) => row.orgId === org.id && row.slug === source?.slug);
      const place = isShadowed ? source?.id : source?.slug; // a product takes the place of a source
      const expected = source === undefined ? { refused: 'not_found' } : { to: `/${org.slug}/${place}.md` };
      same(
        `where /${org.slug}/${slug}.md leads`,
        expected,
        await leadsTo(ask, '/:org/:slug.md', { org: org.slug, slug }),
      );
    }
  }
};
