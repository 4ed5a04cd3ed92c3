import { orgReleases } from '../../../queries/orgs/org-releases.ts';
import { kinds, sourceTypes } from '../../../src/domain/enumerations.ts';
import { naiveItem } from '../naive/naive-answers.ts';
import { naiveFeed } from '../naive/naive-feed.ts';
import type { NaiveSource } from '../naive/naive-registry.ts';
import { resolvedKind, sourcesOfOrg, sourcesOfProduct } from '../naive/naive-view.ts';
import { readLatest } from '../reads/read-latest.ts';
import { answerOf, type Comparison, publicly, randomWindow, same, sameFeed } from './comparison.ts';

export const compareOrgFeeds = async (comparison: Comparison): Promise<void> => {
  const { reading, view, random } = comparison;
  for (const org of view.orgs) {
    const sources = sourcesOfOrg(view, org.id);
    const feed = async (what: string, filters: object, wanted: readonly NaiveSource[]) => {
      const input = {
        org: random.pick([org.id, org.slug]),
        sourceType: null,
        kind: null,
        product: null,
        sinceMs: null,
        untilMs: null,
        includePrereleases: random.chance(50),
        includeCoverage: random.chance(50),
        ...filters,
      };
      await sameFeed(`feed of org ${org.id} ${what}`, comparison, naiveFeed(view, wanted, input), (paging) =>
        orgReleases(reading, { ...input, ...paging }, publicly(comparison)),
      );
    };
    await feed('without prereleases', { includePrereleases: false }, sources);
    await feed('with prereleases', { includePrereleases: true }, sources);
    await feed('in a window', randomWindow(comparison), sources);
    const sourceType = random.pick([...sources.map(({ type }) => type), random.pick(sourceTypes)]);
    await feed(
      `of type ${sourceType}`,
      { sourceType },
      sources.filter(({ type }) => type === sourceType),
    );
    const kind = random.pick(kinds.slice(0, 3));
    await feed(
      `of kind ${kind}`,
      { kind },
      sources.filter((source) => resolvedKind(view, source) === kind),
    );
    for (const product of view.registry.products.filter(({ orgId }) => orgId === org.id)) {
      const filters = { product: product.id, ...randomWindow(comparison) };
      if (view.products.includes(product)) {
        await feed(`of product ${product.id}`, filters, sourcesOfProduct(view, product.id));
      } else {
        const ask = () => feed(`of product ${product.id}`, filters, []);
        same(`feed of product ${product.id}, which is not visible`, { refused: 'not_found' }, await answerOf(ask));
      }
    }
  }
};

export const compareLatest = async (comparison: Comparison): Promise<void> => {
  const { reading, view, random } = comparison;
  const latest = async (what: string, filters: object, sources: readonly NaiveSource[]) => {
    const input = {
      source: null,
      org: null,
      count: random.pick([1, 10, 100]),
      exclude: [],
      minImportance: null,
      sinceMs: null,
      untilMs: null,
      includePrereleases: random.chance(50),
      includeCoverage: random.chance(50),
      ...filters,
    };
    const expected = naiveFeed(view, sources, input).slice(0, input.count);
    const answer = await readLatest(reading, input, publicly(comparison));
    same(`latest ${what}`, { releases: expected.map((release) => naiveItem(view, release)) }, answer);
  };
  await latest('of all', { includePrereleases: false }, view.sources);
  await latest('with prereleases', { includePrereleases: true, count: 100 }, view.sources);
  await latest('in a window', randomWindow(comparison), view.sources);
  await latest('of some importance', { minImportance: random.int(1, 5) }, view.sources);
  const exclude = [random.pick(sourceTypes), random.pick(sourceTypes)];
  await latest(
    'without some types',
    { exclude },
    view.sources.filter(({ type }) => !exclude.includes(type)),
  );
  if (view.orgs.length > 0) {
    const { id } = random.pick(view.orgs);
    await latest('of an org', { org: id }, sourcesOfOrg(view, id));
  }
  if (view.sources.length > 0) {
    const source = random.pick(view.sources);
    await latest('of a source', { source: source.id }, [source]);
  }
};
