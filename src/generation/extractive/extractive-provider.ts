import type {
  ContentProvider,
  ContributingRelease,
  OverviewDraft,
  SummarizedReleases,
  SummaryWindow,
} from '../content-provider.ts';
import { citedText } from './cited-text.ts';
import { pickSentences } from './pick-sentences.ts';

const overviewLimits = { sentences: 12, perRelease: 3 };
const summaryLimits = { sentences: 8, perRelease: 2 };

const counted = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`;

const sourceCountOf = (releases: readonly ContributingRelease[]): number =>
  new Set(releases.map(({ sourceId }) => sourceId)).size;

/** Numbers and days, all of them facts. */
function overviewLead(releases: readonly ContributingRelease[], sourceCount: number): string {
  const days = releases.flatMap(({ publishedAt }) => publishedAt?.slice(0, 10) ?? []).sort();
  const [first, last] = [days.at(0), days.at(-1)];
  const from = sourceCount === 1 ? '' : ` from ${counted(sourceCount, 'source')}`;
  const when = first === undefined ? '' : first === last ? `, ${first}` : `, ${first} to ${last}`;
  return `The latest ${counted(releases.length, 'release')}${from}${when}.`;
}

const windowName = (window: SummaryWindow): string =>
  window.type === 'rolling'
    ? `the last ${counted(window.windowDays, 'day')}`
    : `${window.year}-${String(window.month).padStart(2, '0')}`;

/** Says nothing but what the releases say, and how many they are. */
export function extractOverview(releases: readonly ContributingRelease[]): OverviewDraft | null {
  const picked = pickSentences(releases, overviewLimits);
  if (picked.length === 0) return null;
  const sourceCount = sourceCountOf(releases);
  return citedText(overviewLead(releases, sourceCount), picked, sourceCount === 1);
}

export function extractSummary(window: SummaryWindow, { releases, count }: SummarizedReleases): string | null {
  const picked = pickSentences(releases, summaryLimits);
  if (picked.length === 0) return null;
  return citedText(`${counted(count, 'release')} in ${windowName(window)}.`, picked, true).content;
}

/** Picks sentences of the releases themselves: no key, no network, the same again for the same releases. */
export const extractiveProvider: ContentProvider = {
  overviewOf: async (_, releases) => extractOverview(releases),
  summaryOf: async (_, window, summarized) => extractSummary(window, summarized),
};
