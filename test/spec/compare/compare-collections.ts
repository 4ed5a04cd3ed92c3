import { collectionDetail } from '../../../queries/collections/collection-detail.ts';
import { collectionList } from '../../../queries/collections/collection-list.ts';
import { collectionFeed } from '../../../queries/collections/collection-releases.ts';
import { releaseFeedAnswer } from '../../../queries/feed/release-feed-answer.ts';
import { siteNotice } from '../../../queries/site-notice.ts';
import { naiveCollectionDetail, naiveCollectionList, sourcesOfCollection } from '../naive/naive-collections.ts';
import { naiveFeed } from '../naive/naive-feed.ts';
import { answerOf, asAdmin, type Comparison, publicly, randomWindow, same, sameFeed } from './comparison.ts';

export const compareCollectionList = ({ reading, view, random }: Comparison): void => {
  for (const featured of [false, true]) {
    const expected = naiveCollectionList(view, featured);
    const limit = random.pick([1, 2, 500]);
    const totalPages = Math.max(1, Math.ceil(expected.length / limit));
    for (let page = 1; page <= totalPages; page += 1) {
      const items = expected.slice((page - 1) * limit, page * limit);
      const totals = { returned: items.length, totalItems: expected.length, totalPages, hasMore: page < totalPages };
      const pagination = { page, pageSize: limit, ...totals };
      same('collection list', { items, pagination }, collectionList(reading, { featured, page, limit }));
    }
  }
};

export const compareCollections = async ({ reading, view }: Comparison): Promise<void> => {
  const { collections } = view.registry;
  const ask = (collection: string) => answerOf(() => collectionDetail(reading, { collection }));
  const expected = (found: (typeof collections)[number] | undefined) =>
    found === undefined ? { refused: 'not_found' } : { answer: naiveCollectionDetail(view, found) };
  for (const row of collections)
    same(`collection ${row.id}`, expected(row.deleted ? undefined : row), await ask(row.id));
  for (const slug of new Set(collections.map((row) => row.slug))) {
    const owner = collections.find((row) => row.slug === slug && !row.deleted);
    same(`collection named ${slug}`, expected(owner), await ask(slug));
  }
};

export const compareCollectionFeeds = async (comparison: Comparison): Promise<void> => {
  const { reading, view, random } = comparison;
  for (const row of view.registry.collections.filter(({ deleted }) => !deleted)) {
    const lanes = { includePrereleases: random.chance(50), includeCoverage: random.chance(50) };
    const input = { collection: row.slug, ...lanes, ...randomWindow(comparison) };
    const expected = naiveFeed(view, sourcesOfCollection(view, row), input);
    await sameFeed(`feed of collection ${row.id}`, comparison, expected, (paging) =>
      releaseFeedAnswer(reading, collectionFeed(reading, { ...input, ...paging }, publicly(comparison))),
    );
  }
};

export const compareSiteNotice = async (comparison: Comparison): Promise<void> => {
  const { reading, view } = comparison;
  const { siteNotice: notice } = view.registry;
  same('site notice for admin', { notice }, await siteNotice(reading, asAdmin(comparison)));
  same('site notice', { notice: notice?.active ? notice : null }, await siteNotice(reading, publicly(comparison)));
};
