import { chunkHeading } from '../../src/search/chunks/file-chunks.ts';
import type { QueryDeps } from '../shape/query-deps.ts';
import { type ChangelogText, changelogText, TextReplaced } from '../../src/texts/changelog-text.ts';
import { sourceHead } from '../shape/source/source-head.ts';
import type { ShownChunk } from './candidates.ts';

const snippetCharsMax = 2_000;

/** Where another version of the text was cut, this one may begin or end inside a pair. */
const withoutHalfPairs = (text: string): string => text.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '');

interface FoundChunk {
  readonly chunk: ShownChunk;
  readonly score: number;
}

/** Pieces of changelog files as hits show them (contract 7.1). Of the texts no more is read than is shown. */
export async function chunkHits(deps: Pick<QueryDeps, 'models' | 'catalogue'>, found: readonly FoundChunk[]) {
  const texts = new Map<string, ChangelogText>();
  const textOf = ({ fileId, file }: ShownChunk): ChangelogText => {
    const known = texts.get(fileId) ?? changelogText(deps, file);
    texts.set(fileId, known);
    return known;
  };

  const hitOf = async ({ chunk, score }: FoundChunk) => {
    const { file, offset, length } = chunk;
    const source = deps.catalogue.source(file.sourceId);
    if (source === undefined) return [];
    const text = withoutHalfPairs(await textOf(chunk).between(offset, offset + Math.min(length, snippetCharsMax)));
    const { slug: sourceSlug, name: sourceName, orgSlug, orgName } = sourceHead(deps.catalogue, source);
    const place = { filePath: file.path, offset, length };
    const told = { heading: chunkHeading(text), snippet: length > snippetCharsMax ? `${text}…` : text, score };
    return [{ sourceSlug, sourceId: source.id, sourceName, orgSlug, orgName, ...place, ...told }];
  };

  /** Another version has just taken the place of its text: this one is no longer there. */
  const unlessReplaced = async (one: FoundChunk) => {
    try {
      return await hitOf(one);
    } catch (error) {
      if (error instanceof TextReplaced) return [];
      throw error;
    }
  };

  const hits = [];
  for (const one of found) hits.push(...(await unlessReplaced(one)));
  return hits;
}

export type ChunkHit = Awaited<ReturnType<typeof chunkHits>>[number];
