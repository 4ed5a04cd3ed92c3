import { countTokens } from '../../../src/adapters/tokenizer/count-tokens.ts';
import { decodePage } from '../../../src/domain/changelog/marks.ts';
import { outlineOf } from '../../../src/domain/changelog/outline.ts';
import { cutText } from '../../../src/kernel/text-rules.ts';
import type { SearchDocument, SearchKind } from '../../../src/ports/search-index.ts';
import { chunkDocumentId } from '../../../src/search/chunks/chunk-document.ts';
import { chunkHeading, fileChunks } from '../../../src/search/chunks/file-chunks.ts';
import { cleanEntry } from '../../../src/search/entries/clean-entry.ts';
import { type EntryText, entryText } from '../../../src/search/entries/entry-text.ts';
import { releaseEntries } from '../../../src/search/entries/release-entries.ts';
import { type CorpusFile, type CorpusRelease, corpusIdOf } from './search-corpus.ts';

/** A document of the index, and the texts that get vectors for it. */
export interface CorpusDocument {
  readonly kind: SearchKind;
  readonly doc: SearchDocument;
  readonly entries: readonly EntryText[];
}

const common = { isCoverage: false, isBare: false, textHashes: [] };

export const releaseDocument = (release: CorpusRelease): CorpusDocument => ({
  kind: 'release',
  doc: {
    ...common,
    id: corpusIdOf(release),
    sourceId: release.package,
    texts: { title: `${release.title} ${release.version}`, names: release.package, body: release.content },
    publishedMs: release.publishedMs,
  },
  entries: releaseEntries(release.package, release.content),
});

/** More than any model reads of a text. */
const readCharsMax = 8_000;

/** The pieces of a file, cut and embedded as the service does it. */
export async function chunkDocuments({ package: name, text }: CorpusFile): Promise<CorpusDocument[]> {
  const outline = await outlineOf(text, async (texts) => texts.map(countTokens));
  const pages = { firsts: outline.firsts, load: async (page: number) => decodePage(outline.pages[page]!) };
  const chunks = await fileChunks(pages, { at: text.length, tokens: outline.tokens });
  return chunks.map(({ offset, length }) => {
    const body = text.slice(offset, offset + length);
    const words = cleanEntry(cutText(body, readCharsMax)).join(' ');
    return {
      kind: 'chunk',
      doc: {
        ...common,
        id: chunkDocumentId({ fileId: name, offset, length }),
        sourceId: name,
        texts: { title: chunkHeading(body) ?? '', names: name, body },
        publishedMs: null,
      },
      entries: [entryText(`${name}: ${words}`)],
    };
  });
}
