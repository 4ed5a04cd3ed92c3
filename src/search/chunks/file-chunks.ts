import type { Mark, MarkPages } from '../../domain/changelog/marks.ts';
import { sliceOf } from '../../domain/changelog/slice.ts';

/** A piece of a changelog file, in UTF-16 units of the stored text. */
export interface FileChunk {
  readonly offset: number;
  readonly length: number;
}

/** Contract 7.2. */
const chunkTokens = 500;
const overlapChars = 200;

/** Those that are in use are near each other. */
const withLastPages = ({ firsts, load }: MarkPages): MarkPages => {
  const kept = new Map<number, ReturnType<MarkPages['load']>>();
  return {
    firsts,
    load: (page) => {
      const known = kept.get(page) ?? load(page);
      kept.set(page, known);
      for (const other of kept.keys()) if (Math.abs(other - page) > 1) kept.delete(other);
      return known;
    },
  };
};

/**
 * Cuts a file as slices are cut: each chunk begins and ends at a heading, so a slice from its offset on contains it. The next
 * one goes back for a heading shortly before the end of the last, where that brings more than the last one had.
 */
export async function fileChunks(stored: MarkPages, total: Mark): Promise<FileChunk[]> {
  const pages = withLastPages(stored);
  const budget = { measure: 'tokens', size: chunkTokens } as const;
  const sliceFrom = (offset: number) => sliceOf(pages, total, { offset, budget });
  const chunks: FileChunk[] = [];
  let last = await sliceFrom(0);
  while (last.end.at > last.start.at) {
    chunks.push({ offset: last.start.at, length: last.end.at - last.start.at });
    if (last.end.at === total.at) break;
    const back = Math.max(last.end.at - overlapChars, last.start.at + 1);
    const overlapping = await sliceFrom(back);
    last = overlapping.end.at > last.end.at ? overlapping : await sliceFrom(last.end.at);
  }
  return chunks;
}

/** The heading that a chunk begins with, without its marks; null where it begins with other text. */
export const chunkHeading = (text: string): string | null =>
  /^#{1,3}[ \t]+(.*)/
    .exec(text)?.[1]
    ?.replace(/[ \t]+#*[ \t]*$/, '')
    .trim() || null;
