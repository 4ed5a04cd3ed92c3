import {
  type ChangelogFileDocument,
  changelogFilesProjection,
} from '../../../projections/changelog-files/changelog-files.ts';
import { cutText } from '../../kernel/text-rules.ts';
import type { ReadModelSet } from '../../ports/read-models.ts';
import { chunkDocumentId, parseChunkDocumentId } from '../../search/chunks/chunk-document.ts';
import { chunkHeading, fileChunks } from '../../search/chunks/file-chunks.ts';
import { cleanEntry } from '../../search/entries/clean-entry.ts';
import { entryText } from '../../search/entries/entry-text.ts';
import { changelogText, TextReplaced } from '../../texts/changelog-text.ts';
import { calledName, namedSources, namesText } from './source-names.ts';
import type { LoadDocuments, MadeDocument } from './made-document.ts';
import type { LoadTexts, TextsToEmbed } from './texts-to-embed.ts';

/** The text of a file is gone when another one has taken its place: that is told by an event that is still to come. */
const unlessReplaced = async <Found>(read: Promise<Found>): Promise<Found | null> => {
  try {
    return await read;
  } catch (error) {
    if (error instanceof TextReplaced) return null;
    throw error;
  }
};

/** The ids of all chunks of a file as it is stored now: none when it is not there, null when another text takes its place just now. */
export async function chunkIdsOfFile(models: ReadModelSet, fileId: string): Promise<string[] | null> {
  const [file] = await models.of(changelogFilesProjection).get([fileId]);
  if (file === undefined) return [];
  const { marks } = changelogText({ models }, file);
  const chunks = await unlessReplaced(fileChunks(marks, { at: file.chars, tokens: file.tokens }));
  return chunks && chunks.map((chunk) => chunkDocumentId({ fileId, ...chunk }));
}

interface FoundChunk {
  readonly id: string;
  readonly file: ChangelogFileDocument;
  readonly text: string;
}

async function findChunks(
  models: ReadModelSet,
  ids: readonly string[],
): Promise<{ readonly found: readonly FoundChunk[]; readonly unsure: ReadonlySet<string> }> {
  const places = ids.flatMap((id) => {
    const place = parseChunkDocumentId(id);
    return place === null ? [] : [{ id, ...place }];
  });
  const fileIds = [...new Set(places.map(({ fileId }) => fileId))];
  const files = fileIds.length === 0 ? [] : await models.of(changelogFilesProjection).get(fileIds);
  const readers = new Map(files.map((file) => [file.id, { file, read: changelogText({ models }, file) }]));
  const found: FoundChunk[] = [];
  const unsure = new Set<string>();
  for (const { id, fileId, offset, length } of places) {
    const reader = readers.get(fileId);
    if (reader === undefined || offset + length > reader.file.chars) continue;
    const text = await unlessReplaced(reader.read.between(offset, offset + length));
    if (text === null) unsure.add(id);
    else found.push({ id, file: reader.file, text });
  }
  return { found, unsure };
}

/** As they are indexed now; those that are not there are not to be found. */
export const chunkDocuments: LoadDocuments = async (models, ids) => {
  const { found, unsure } = await findChunks(models, ids);
  const named = await namedSources(
    models,
    found.map(({ file }) => file.sourceId),
  );
  const docs = new Map(
    found.flatMap(({ id, file: { sourceId }, text }): [string, MadeDocument][] => {
      const source = named.get(sourceId);
      if (source === undefined) return [];
      const texts = { title: chunkHeading(text) ?? '', names: namesText(source), body: text };
      return [[id, { id, sourceId, texts, publishedMs: null, isCoverage: false, isBare: false }]];
    }),
  );
  return { docs, unsure, hidden: new Set() };
};

/** More than any model reads of a text, whatever falls out of it. */
const readCharsMax = 8_000;

/** One text for each chunk, cleaned as the entries of releases are. */
export const chunkTextsToEmbed: LoadTexts = async (models, ids) => {
  const { found } = await findChunks(models, ids);
  const named = await namedSources(
    models,
    found.map(({ file }) => file.sourceId),
  );
  return new Map(
    found.flatMap(({ id, file: { sourceId }, text }): [string, TextsToEmbed][] => {
      const source = named.get(sourceId);
      if (source === undefined) return [];
      const words = cleanEntry(cutText(text, readCharsMax)).join(' ');
      return [[id, { sourceId, entries: [entryText(`${calledName(source)}: ${words}`)] }]];
    }),
  );
};
