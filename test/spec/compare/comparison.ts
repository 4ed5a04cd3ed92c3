import type { PastDeps } from '../../../queries/past/past-deps.ts';
import { isDomainError } from '../../../src/kernel/errors.ts';
import type { RecordedEvent } from '../../../src/kernel/event.ts';
import { firstDifference, type MayHave } from '../first-difference.ts';
import { naiveFullItem } from '../naive/naive-answers.ts';
import type { NaiveRelease } from '../naive/naive-registry.ts';
import { type NaiveView, publishedMsOf } from '../naive/naive-view.ts';
import type { Seeded } from '../seeded.ts';
import { isUncomputed } from './uncomputed-keys.ts';

/** The answer of a query: what it gave, or the code it was refused with. */
export type Answer = { readonly answer: unknown } | { readonly refused: string };

export const answerOf = async (query: () => unknown): Promise<Answer> => {
  try {
    return { answer: await query() };
  } catch (error) {
    if (!isDomainError(error)) throw error;
    return { refused: error.code };
  }
};

/** Thrown at the first difference, so that a comparison reads as a list of what is compared. */
export class Difference extends Error {}

const compare = (what: string, expected: unknown, actual: unknown, mayHave: MayHave): void => {
  const difference = firstDifference(expected, actual, mayHave);
  if (difference !== null) throw new Difference(`${what}: ${difference}`);
};

/** All of it, but for the keys that nobody computes. */
export const same = (what: string, expected: unknown, actual: unknown): void =>
  compare(what, expected, actual, isUncomputed);

/** No more than the expected keys: for what is compared as a whole elsewhere. */
export const sameParts = (what: string, expected: unknown, actual: unknown): void =>
  compare(what, expected, actual, () => true);

export interface PagedAnswer {
  readonly releases: readonly { readonly id: string }[];
  readonly pagination: { readonly nextCursor: string | null };
}

export interface Paging {
  readonly cursor: string | null;
  readonly limit: number;
  readonly sent: Readonly<Record<string, string | boolean>>;
}

export interface Comparison {
  readonly reading: PastDeps;
  /** Every event there ever was, also those that the store has forgotten. */
  readonly log: readonly RecordedEvent[];
  readonly view: NaiveView;
  readonly random: Seeded;
  /** The text that a feed had with a date, where the clock of the comparisons only goes forward. */
  readonly feedsSeen?: Map<string, string>;
}

export const publicly = ({ view }: Comparison) => ({ nowMs: view.nowMs, admin: false });
export const asAdmin = ({ view }: Comparison) => ({ nowMs: view.nowMs, admin: true });

/** All pages of a feed one after the other are the expected releases, and only the last one says that it is. */
export const sameFeed = async (
  what: string,
  { view, random }: Comparison,
  expected: readonly NaiveRelease[],
  page: (paging: Paging) => Promise<PagedAnswer>,
): Promise<void> => {
  const sent = { feed: what };
  const limit = random.pick([1, 3, 20, 100]);
  const found: { readonly id: string }[] = [];
  let cursor: string | null = null;
  do {
    const { releases, pagination }: PagedAnswer = await page({ cursor, limit, sent });
    found.push(...releases);
    cursor = pagination.nextCursor;
    if (cursor !== null && releases.length !== limit) throw new Difference(`${what}: a page is short of its limit`);
  } while (cursor !== null && found.length <= expected.length);
  if (expected.length > 0 && found.length > expected.length) throw new Difference(`${what}: more pages than releases`);
  same(
    `${what} (ids)`,
    expected.map(({ id }) => id),
    found.map(({ id }) => id),
  );
  same(
    what,
    expected.map((release) => naiveFullItem(view, release)),
    found,
  );
};

/** A window whose ends are dates of releases, so that both sides of an end are met. */
export const randomWindow = ({ view, random }: Comparison): { sinceMs: number | null; untilMs: number | null } => {
  const dates = view.registry.releases.map(publishedMsOf).filter((ms) => ms !== null);
  const end = () => (dates.length === 0 || random.chance(30) ? null : random.pick(dates) + random.pick([-1, 0, 0, 1]));
  const [a, b] = [end(), end()];
  return a !== null && b !== null && a > b ? { sinceMs: b, untilMs: a } : { sinceMs: a, untilMs: b };
};
