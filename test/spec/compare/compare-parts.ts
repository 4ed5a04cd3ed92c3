import { productDetail } from '../../../queries/product-detail.ts';
import { sourceDetail } from '../../../queries/sources/source-detail.ts';
import { naiveProductDetail, naiveSourceDetail } from '../naive/naive-answers.ts';
import { naiveFeed } from '../naive/naive-feed.ts';
import { sourcesOfProduct } from '../naive/naive-view.ts';
import { answerOf, type Comparison, type Paging, publicly, same, sameFeed, sameParts } from './comparison.ts';

export const compareProducts = async (comparison: Comparison): Promise<void> => {
  const { reading, view, random } = comparison;
  for (const product of view.registry.products) {
    const what = `product ${product.id}`;
    const lanes = { includePrereleases: random.chance(50), includeCoverage: random.chance(50) };
    const input = { org: null, product: product.id, ...lanes };
    const ask = (paging: Paging) => productDetail(reading, { ...input, ...paging }, publicly(comparison));
    const answer = await answerOf(() => ask({ cursor: null, limit: 1, sent: {} }));
    if (view.products.includes(product)) {
      same(what, { answer: naiveProductDetail(view, product) }, answer);
      await sameFeed(`feed of ${what}`, comparison, naiveFeed(view, sourcesOfProduct(view, product.id), input), ask);
    } else {
      same(what, { refused: 'not_found' }, answer);
    }
  }
};

export const compareSources = async (comparison: Comparison): Promise<void> => {
  const { reading, view, random } = comparison;
  const inputOf = (source: string) => ({
    org: null,
    source,
    includePrereleases: random.chance(50),
    includeCoverage: random.chance(50),
  });
  for (const source of view.registry.sources) {
    const what = `source ${source.id}`;
    const input = inputOf(source.id);
    const ask = (paging: Paging) => sourceDetail(reading, { ...input, ...paging }, publicly(comparison));
    const answer = await answerOf(() => ask({ cursor: null, limit: 1, sent: {} }));
    if (view.sources.includes(source)) {
      same(what, { answer: naiveSourceDetail(view, source) }, answer);
      await sameFeed(`feed of ${what}`, comparison, naiveFeed(view, [source], input), ask);
    } else {
      same(what, { refused: 'not_found' }, answer);
    }
  }
  for (const slug of new Set(view.registry.sources.map((source) => source.slug))) {
    const [owner, ...others] = view.sources.filter((source) => source.slug === slug);
    const refused = owner === undefined ? 'not_found' : 'ambiguous_slug';
    const expected = owner === undefined || others.length > 0 ? { refused } : { answer: { id: owner.id } };
    const paging = { cursor: null, limit: 1, sent: {} };
    const answer = await answerOf(() => sourceDetail(reading, { ...inputOf(slug), ...paging }, publicly(comparison)));
    sameParts(`source named ${slug}`, expected, answer);
  }
};
