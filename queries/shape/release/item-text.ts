import type { FeedRow } from '../../../projections/release-feed/release-feed.ts';
import type { SourceDocument } from '../../../projections/source/source.ts';
import { type ItemParents, type ListedCoverage, listedRow, ownPart, parentsPart } from './feed-item.ts';

/** As JSON has them, without the braces around. */
const membersOf = (part: object): string => JSON.stringify(part).slice(1, -1);

interface OwnText {
  readonly webBaseUrl: string;
  readonly text: string;
}

interface ParentsText extends ItemParents {
  readonly text: string;
}

// Documents are never changed: what was made of one holds for as long as somebody has it.
const ownTexts = new WeakMap<FeedRow, OwnText>();
const parentsTexts = new WeakMap<SourceDocument, ParentsText>();

function ownText(webBaseUrl: string, row: FeedRow): string {
  const known = ownTexts.get(row);
  if (known?.webBaseUrl === webBaseUrl) return known.text;
  const text = membersOf(ownPart(webBaseUrl, listedRow(row)));
  ownTexts.set(row, { webBaseUrl, text });
  return text;
}

function parentsText(parents: ItemParents): string {
  const known = parentsTexts.get(parents.source);
  if (known !== undefined && known.org === parents.org && known.product === parents.product) return known.text;
  const text = membersOf(parentsPart(parents));
  parentsTexts.set(parents.source, { ...parents, text });
  return text;
}

/** The JSON of `feedItem`, put together from what was made before. */
export const feedItemText = (
  webBaseUrl: string,
  row: FeedRow,
  { coverageCount, coverageOf }: ListedCoverage,
  parents: ItemParents,
): string => `{${ownText(webBaseUrl, row)},${membersOf({ coverageCount, coverageOf })},${parentsText(parents)}}`;
