import { orgHistory } from '../../../queries/orgs/org-history.ts';
import { releaseHistory } from '../../../queries/releases/release-history.ts';
import { naiveOrgHistory, naivePublicOrgHistory, naiveReleaseHistory } from '../naive/naive-history.ts';
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

type Change = { readonly field: string; readonly from: unknown; readonly to: unknown };

/** In one order, and metadata as what its text says. */
const comparable = (changes: readonly Change[]): Change[] =>
  changes
    .map(({ field, from, to }) => {
      const read = (value: unknown) => (field === 'metadata' && value !== null ? JSON.parse(value as string) : value);
      return { field, from: read(from), to: read(to) };
    })
    .sort((a, b) => (a.field < b.field ? -1 : 1));

export const compareOrgHistories = async (comparison: Comparison): Promise<void> => {
  const { reading, view, log, random } = comparison;
  for (const org of view.registry.orgs) {
    const what = `history of ${org.id}`;
    const page = (paging: Paging, admin: boolean) => orgHistory(reading, { org: org.id, ...paging }, admin);
    const compared = async (paging: Paging, admin: boolean) => {
      const { items, pagination } = await page(paging, admin);
      return { items: items.map(({ changes, ...item }) => ({ ...item, changes: comparable(changes) })), pagination };
    };
    const first = { cursor: null, limit: 100, sent: {} };
    if (!view.orgs.includes(org)) same(what, { refused: 'not_found' }, await answerOf(() => page(first, false)));
    if (org.deleted) {
      same(`${what} for admin`, { refused: 'not_found' }, await answerOf(() => page(first, true)));
      continue;
    }
    const all = naiveOrgHistory(view.registry, log, org.id);
    const items = all.map(({ item }) => item);
    const limit = random.pick([1, 7, 100]);
    await sameItems(`${what} for admin`, items, limit, (paging) => compared(paging, true));
    if (!view.orgs.includes(org)) continue;
    await sameItems(what, naivePublicOrgHistory(view, all), limit, (paging) => compared(paging, false));
  }
};
