import { sourceDetail, sourceDetailByPage } from '../../../queries/sources/source-detail.ts';
import { naiveFeed } from '../naive/naive-feed.ts';
import { type Comparison, publicly, same, sameParts } from './comparison.ts';

/** Every page of a source by its number, and the cursor of each leads to the next (contract 5.2). */
export const compareNumberedPages = async (comparison: Comparison): Promise<void> => {
  const { reading, view, random } = comparison;
  const asking = publicly(comparison);
  for (const { id } of view.sources) {
    const lanes = { includePrereleases: random.chance(50), includeCoverage: random.chance(50) };
    const source = view.sources.filter((row) => row.id === id);
    const expected = naiveFeed(view, source, lanes).map((release) => release.id);
    const pageSize = random.pick([1, 2, 7, 100]);
    const pages = Math.max(1, Math.ceil(expected.length / pageSize));
    const idsOf = (from: number) => expected.slice(from, from + pageSize).map((release) => ({ id: release }));
    for (let page = 1; page <= pages + 1; page += 1) {
      const what = `page ${page} of ${pageSize} of source ${id}`;
      const input = { source: id, page, pageSize, sent: {}, ...lanes };
      const answer = await sourceDetailByPage(reading, input, asking);
      const returned = Math.max(0, Math.min(pageSize, expected.length - (page - 1) * pageSize));
      const hasMore = page * pageSize < expected.length;
      const totals = { totalItems: expected.length, totalPages: pages, hasMore, returned };
      sameParts(what, { releases: idsOf((page - 1) * pageSize), pagination: { ...totals, page, pageSize } }, answer);
      const { nextCursor } = answer.pagination;
      same(`${what} has a next one`, hasMore, nextCursor !== null);
      if (nextCursor === null) continue;
      const following = { org: null, source: id, cursor: nextCursor, limit: pageSize, sent: {}, ...lanes };
      sameParts(`after ${what}`, { releases: idsOf(page * pageSize) }, await sourceDetail(reading, following, asking));
    }
  }
};
