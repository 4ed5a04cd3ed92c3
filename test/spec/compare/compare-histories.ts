import { releaseHistory } from '../../../queries/releases/release-history.ts';
import { naiveReleaseHistory } from '../naive/naive-history.ts';
import { answerOf, type Comparison, Difference, type Paging, publicly, same } from './comparison.ts';

interface PagedItems {
  readonly items: readonly unknown[];
  readonly pagination: { readonly nextCursor: string | null };
}

/** All pages one after the other are the expected items, and only the last one says that it is. */
const sameItems = async (
  what: string,
  expected: readonly unknown[],
  limit: number,
  page: (paging: Paging) => Promise<PagedItems>,
): Promise<void> => {
  const found: unknown[] = [];
  let cursor: string | null = null;
  do {
    const { items, pagination }: PagedItems = await page({ cursor, limit, sent: {} });
    found.push(...items);
    cursor = pagination.nextCursor;
    if (cursor !== null && items.length !== limit) throw new Difference(`${what}: a page is short of its limit`);
  } while (cursor !== null && found.length <= expected.length);
  same(what, expected, found);
};

/** How many things one comparison looks at: to tell a history from the whole log takes the oracle long. */
const looksMax = 5;

export const compareReleaseHistories = async (comparison: Comparison): Promise<void> => {
  const { reading, view, log, random } = comparison;
  const { releases } = view.registry;
  for (let looks = Math.min(looksMax, releases.length); looks > 0; looks -= 1) {
    const release = random.pick(releases);
    const what = `history of ${release.id}`;
    const page = (paging: Paging) => releaseHistory(reading, { release: release.id, ...paging }, publicly(comparison));
    if (view.releases.includes(release)) {
      await sameItems(what, naiveReleaseHistory(log, release.id), random.pick([1, 2, 100]), page);
    } else {
      const ask = () => page({ cursor: null, limit: 20, sent: {} });
      same(what, { refused: 'not_found' }, await answerOf(ask));
    }
  }
};
