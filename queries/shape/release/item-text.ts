import type { ReleaseDocument } from '../../../projections/release-detail/release-detail.ts';
import type { FeedRow } from '../../../projections/release-feed/release-feed.ts';
import type { SourceDocument } from '../../../projections/source/source.ts';
import {
  type ItemParents,
  type ListedCoverage,
  type ListedRelease,
  listedRow,
  ownPart,
  parentsPart,
} from './feed-item.ts';

/** As JSON has them, without the braces around. */
const membersOf = (part: object): string => JSON.stringify(part).slice(1, -1);

interface ParentsText extends ItemParents {
  readonly text: string;
}

interface ItemBytes extends ItemParents, ListedCoverage {
  readonly webBaseUrl: string;
  readonly bytes: Buffer;
}

// Documents are never changed: what was made of one holds for as long as somebody has it.
const parentsTexts = new WeakMap<SourceDocument, ParentsText>();
const itemBytes = new WeakMap<FeedRow, ItemBytes>();

const isOf = (known: ItemParents, parents: ItemParents): boolean =>
  known.source === parents.source && known.org === parents.org && known.product === parents.product;

const isCoveredSo = (known: ListedCoverage, { coverageCount, coverageOf }: ListedCoverage): boolean =>
  known.coverageCount === coverageCount && known.coverageOf === coverageOf;

function parentsText(parents: ItemParents): string {
  const known = parentsTexts.get(parents.source);
  if (known !== undefined && isOf(known, parents)) return known.text;
  const text = membersOf(parentsPart(parents));
  parentsTexts.set(parents.source, { ...parents, text });
  return text;
}

const coverageText = ({ coverageCount, coverageOf }: ListedCoverage): string =>
  `"coverageCount":${coverageCount},"coverageOf":${coverageOf === null ? 'null' : JSON.stringify(coverageOf)}`;

/** All members of an item but its content. */
const itemMembers = (
  webBaseUrl: string,
  release: ListedRelease,
  coverage: ListedCoverage,
  parents: ItemParents,
): readonly string[] => [
  membersOf(ownPart(webBaseUrl, release)),
  ',',
  coverageText(coverage),
  ',',
  parentsText(parents),
];

/** The JSON of `feedItem` as it is sent, made once for each row that is kept. */
export const feedItemBytes = (
  webBaseUrl: string,
  row: FeedRow,
  coverage: ListedCoverage,
  parents: ItemParents,
): Buffer => {
  const known = itemBytes.get(row);
  if (known?.webBaseUrl === webBaseUrl && isCoveredSo(known, coverage) && isOf(known, parents)) return known.bytes;
  const bytes = Buffer.from(['{', ...itemMembers(webBaseUrl, listedRow(row), coverage, parents), '}'].join(''));
  itemBytes.set(row, { ...parents, ...coverage, webBaseUrl, bytes });
  return bytes;
};

/** A release with its text, and whose it is. */
export interface FullRelease {
  readonly release: ReleaseDocument;
  readonly content: string;
  readonly coverage: ListedCoverage;
  readonly parents: ItemParents;
}

/** The JSON of a `FullFeedItem`: the texts of so many are not kept. */
export const fullItemText = (webBaseUrl: string, { release, content, coverage, parents }: FullRelease): string => {
  const members = itemMembers(webBaseUrl, release, coverage, parents);
  return ['{', ...members, ',"content":', JSON.stringify(content), '}'].join('');
};
