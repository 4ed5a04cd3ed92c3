import { bodiesProjection } from '../../projections/bodies/bodies.ts';
import {
  type ChangelogFileDocument,
  changelogFileId,
  changelogFilesProjection,
} from '../../projections/changelog-files/changelog-files.ts';
import type { SourceDocument } from '../../projections/source/source.ts';
import { catalogueReads } from '../../src/catalogue/catalogue.ts';
import { filesMax } from '../../src/domain/changelog/fields.ts';
import { type SliceWish, sliceOf } from '../../src/domain/changelog/slice.ts';
import { DomainError, notFound } from '../../src/kernel/errors.ts';
import { changelogFileItem, changelogFileRecord } from '../shape/source/changelog-file.ts';
import { changelogText, TextReplaced } from '../../src/texts/changelog-text.ts';
import type { QueryDeps } from '../shape/query-deps.ts';

export interface ChangelogSliceInput {
  /** Another file than the one that is meant when none is named. */
  readonly path: string | null;
  readonly offset: number | null;
  readonly limit: number | null;
  readonly tokens: number | null;
}

export const changelogReads = [...catalogueReads, changelogFilesProjection, bodiesProjection];

const limitDefault = 40_000;

/** A file may be replaced while it is read; twice in a row only by somebody who does nothing else. */
const triesMax = 3;

const wishOf = ({ offset, limit, tokens }: ChangelogSliceInput): SliceWish => {
  if (offset === null && limit === null && tokens === null) return 'whole';
  const budget =
    tokens === null
      ? ({ measure: 'at', size: limit ?? limitDefault } as const)
      : ({ measure: 'tokens', size: tokens } as const);
  return { offset: offset ?? 0, budget };
};

const noChangelog = (source: SourceDocument, path: string | null): DomainError =>
  path === null
    ? new DomainError('not_found', 'changelog', `The source \`${source.slug}\` has no changelog file.`)
    : notFound('changelog', path);

const shownLimit = (wish: SliceWish, content: string): number =>
  wish === 'whole' || wish.budget.measure === 'tokens' ? content.length : wish.budget.size;

async function readSlice(
  deps: Pick<QueryDeps, 'models'>,
  source: SourceDocument,
  input: ChangelogSliceInput,
  files: readonly ChangelogFileDocument[],
) {
  const wanted = input.path === null ? null : changelogFileId(source.id, input.path);
  const file = wanted === null ? files[0] : files.find(({ id }) => id === wanted);
  if (file === undefined) throw noChangelog(source, input.path);
  const wish = wishOf(input);
  const text = changelogText(deps, file);
  const { start, end } = await sliceOf(text.marks, { at: file.chars, tokens: file.tokens }, wish);
  const content = await text.between(start.at, end.at);
  return {
    ...changelogFileRecord(source, file),
    content,
    offset: start.at,
    limit: shownLimit(wish, content),
    nextOffset: end.at === file.chars ? null : end.at,
    ...(input.tokens !== null && { tokens: input.tokens, sliceTokens: end.tokens - start.tokens }),
    files: files.map((each) => changelogFileItem(source, each)),
  };
}

/** A changelog file of a source, or the part of it that was asked for (contract 5.4). */
export const changelogSlice = async (
  deps: Pick<QueryDeps, 'models'>,
  source: SourceDocument,
  input: ChangelogSliceInput,
) => {
  if (source.type !== 'github') throw noChangelog(source, null);
  const range = { index: 'byChoice', equals: { sourceId: source.id }, limit: filesMax };
  for (let tried = 1; ; tried += 1) {
    const files = await deps.models.of(changelogFilesProjection).query(range);
    try {
      return await readSlice(deps, source, input, files);
    } catch (error) {
      if (!(error instanceof TextReplaced)) throw error;
      if (tried === triesMax) throw new DomainError('service_unavailable');
    }
  }
};
