import { changelogFileId, changelogFilesProjection } from '../../../projections/changelog-files/changelog-files.ts';
import { releaseDetailProjection } from '../../../projections/release-detail/release-detail.ts';
import { releaseFeedProjection } from '../../../projections/release-feed/release-feed.ts';
import { changelogText } from '../../../src/texts/changelog-text.ts';
import { releaseTexts } from '../../../src/texts/release-texts.ts';
import { openStaticEmbedder } from '../../../src/adapters/embedders/static-embedder.ts';
import { createEmbeddedSearchIndexes } from '../../../src/adapters/embedded/search-index/search-indexes.ts';
import { systemClock } from '../../../src/adapters/system/clock.ts';
import type { SearchChange, SearchIndex, SearchKind } from '../../../src/ports/search-index.ts';
import { chunkDocumentId } from '../../../src/search/chunks/chunk-document.ts';
import { chunkHeading, fileChunks } from '../../../src/search/chunks/file-chunks.ts';
import type { EntryText } from '../../../src/search/entries/entry-text.ts';
import { releaseEntries } from '../../../src/search/entries/release-entries.ts';
import { saysNothing } from '../../../src/search/ranking/empty-body.ts';
import type { QueryEmbedder, SearchReading } from '../../../src/search/search-reading.ts';
import type { HttpService } from '../http/http-service.ts';
import { createTempFolder } from '../temp-folder.ts';

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

interface Indexed {
  readonly kind: SearchKind;
  readonly doc: Extract<SearchChange, { kind: 'put' }>['doc'];
  /** What it is compared by; empty while it waits for its vectors. */
  readonly entries: readonly EntryText[];
}

/** A search index of its own, filled by hand, and the static model. What a service reads of it can be made to fail. */
export async function openSearchWorld() {
  const folder = createTempFolder();
  const indexes = await createEmbeddedSearchIndexes({ folder: folder.path, clock: systemClock });
  const index = await indexes.open(1);
  await indexes.switchPointer(null, 1);
  const lease = await index.leases.acquire('feed', 'test', 3_600_000);
  if (lease === null) throw new Error('the index of a test is taken');
  const model = openStaticEmbedder({ clock: systemClock });
  const embedder: QueryEmbedder = {
    space: async () => model.space,
    embed: async (text) => (await model.embed([text], { isQuery: true }))[0] ?? null,
  };
  const whole: SearchReading = { index: async () => index, embedder };
  const reading: Writable<SearchReading> = { ...whole };
  let position = 0;

  const vectorsOf = async ({ kind, doc, entries }: Indexed, at: number): Promise<SearchChange> => {
    const made = await model.embed(entries.map(({ text }) => text));
    const vectors = entries.flatMap(({ textHash }, entry) => {
      const vector = made[entry];
      return vector == null ? [] : [{ textHash, vector }];
    });
    const by = { space: model.space, model: model.model };
    return { kind: 'vectors', index: kind, position: at, id: doc.id, ...by, entries: vectors };
  };

  const write = async (...documents: readonly Indexed[]): Promise<void> => {
    position += 1;
    const puts = documents.map(({ kind, doc }): SearchChange => ({ kind: 'put', index: kind, position, doc }));
    const vectors = await Promise.all(
      documents.filter(({ entries }) => entries.length > 0).map((one) => vectorsOf(one, position)),
    );
    const outcome = await index.write({ changes: [...puts, ...vectors], position, lease });
    if (outcome !== 'written') throw new Error(`the index was not written: ${outcome}`);
    await index.settle();
  };

  const viewOf = async ({ services }: HttpService) => services.view();

  return {
    index,
    reading,
    write,
    /** As everything was at first. */
    mend: () => void Object.assign(reading, whole),
    /** What the index does, but for these. */
    breakIndex: (broken: Partial<SearchIndex>) => {
      reading.index = async () => ({ ...index, ...broken });
    },
    /** Moves on without a change, as by events that are of no concern to it. */
    passTo: async (reached: number) => {
      position = Math.max(position, reached);
      await index.write({ changes: [], position, lease });
    },
    remove: async (kind: SearchKind, id: string) => {
      position += 1;
      await index.write({ changes: [{ kind: 'delete', index: kind, position, id }], position, lease });
      await index.settle();
    },
    /** Releases as the read models have them now; without vectors where they wait for them. */
    addReleases: async (
      service: HttpService,
      ids: readonly string[],
      { withVectors = true }: { readonly withVectors?: boolean } = {},
    ) => {
      const { models, catalogue } = await viewOf(service);
      const details = await models.of(releaseDetailProjection).get(ids);
      const rows = new Map((await models.of(releaseFeedProjection).get(ids)).map((row) => [row.id, row]));
      const texts = await releaseTexts({ models }, details);
      await write(
        ...details.map(({ id, sourceId, given: { title, version = '' } }): Indexed => {
          const { name } = catalogue.source(sourceId)!;
          const { publishedMs, coverageOf } = rows.get(id)!;
          const body = texts.get(id)!;
          const words = { title: `${title} ${version}`, names: name, body };
          const doc = {
            id,
            sourceId,
            texts: words,
            publishedMs,
            isCoverage: coverageOf !== null,
            isBare: saysNothing(body),
            textHashes: [],
          };
          return {
            kind: 'release',
            doc,
            entries: withVectors && !saysNothing(body) ? releaseEntries(name, `${title}\n\n${body}`) : [],
          };
        }),
      );
    },
    /** Every chunk of a stored changelog file; answers their ids. */
    addFile: async (service: HttpService, sourceId: string, path: string): Promise<string[]> => {
      const { models, catalogue } = await viewOf(service);
      const fileId = changelogFileId(sourceId, path);
      const [file] = await models.of(changelogFilesProjection).get([fileId]);
      const stored = changelogText({ models }, file!);
      const chunks = await fileChunks(stored.marks, { at: file!.chars, tokens: file!.tokens });
      const { name } = catalogue.source(sourceId)!;
      const documents: Indexed[] = [];
      for (const chunk of chunks) {
        const body = await stored.between(chunk.offset, chunk.offset + chunk.length);
        const texts = { title: chunkHeading(body) ?? '', names: name, body };
        const id = chunkDocumentId({ fileId, ...chunk });
        const doc = { id, sourceId, texts, publishedMs: null, isCoverage: false, isBare: false, textHashes: [] };
        documents.push({ kind: 'chunk', doc, entries: releaseEntries(name, body) });
      }
      await write(...documents);
      return documents.map(({ doc }) => doc.id);
    },
    /** Sources as a whole, each by what is told of it. */
    addSources: (told: readonly { readonly id: string; readonly about: string }[]) =>
      write(
        ...told.map(({ id, about }): Indexed => {
          const doc = { id, sourceId: id, texts: { title: '', names: '', body: about } };
          return {
            kind: 'source',
            doc: { ...doc, publishedMs: null, isCoverage: false, isBare: false, textHashes: [] },
            entries: releaseEntries('', about),
          };
        }),
      ),
    close: async () => {
      await indexes.close();
      await model.close();
      folder.remove();
    },
  };
}

export type SearchWorld = Awaited<ReturnType<typeof openSearchWorld>>;
