import { categoryDetail } from '../../../queries/categories/category-detail.ts';
import { categoryList } from '../../../queries/categories/category-list.ts';
import { categoryFeed } from '../../../queries/categories/category-releases.ts';
import { releaseFeedAnswer } from '../../../queries/feed/release-feed-answer.ts';
import { tagDetail } from '../../../queries/tag-detail.ts';
import { categories } from '../../../src/domain/enumerations.ts';
import {
  naiveCategoryDetail,
  naiveCategoryList,
  naiveTagDetail,
  sourcesOfCategory,
} from '../naive/naive-categories.ts';
import { naiveFeed } from '../naive/naive-feed.ts';
import { answerOf, type Comparison, publicly, randomWindow, same, sameFeed } from './comparison.ts';

/** Those that histories use, and one that they do not. */
export const someCategories = categories.slice(0, 4);

export const compareCategories = async (comparison: Comparison): Promise<void> => {
  const { reading, view, random } = comparison;
  const asking = publicly(comparison);
  same('categories', { items: naiveCategoryList(view) }, categoryList(reading, asking));
  for (const category of someCategories) {
    same(`category ${category}`, naiveCategoryDetail(view, category), categoryDetail(reading, { category }, asking));
    const lanes = { includePrereleases: random.chance(50), includeCoverage: random.chance(50) };
    const input = { category, ...lanes, ...randomWindow(comparison) };
    const expected = naiveFeed(view, sourcesOfCategory(view, category), input);
    await sameFeed(`feed of category ${category}`, comparison, expected, (paging) =>
      releaseFeedAnswer(reading, categoryFeed(reading, { ...input, ...paging }, asking)),
    );
  }
};

export const compareTags = async ({ reading, view }: Comparison): Promise<void> => {
  for (const tag of ['cli', 'db', 'web', 'nothing']) {
    same(`tag ${tag}`, naiveTagDetail(view, tag), await answerOf(() => tagDetail(reading, { tag })));
  }
};
