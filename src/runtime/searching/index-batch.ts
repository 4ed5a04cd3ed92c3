import { productProjection } from '../../../projections/product/product.ts';
import { sourceProjection } from '../../../projections/source/source.ts';
import type { EventBatch } from '../../ports/event-store.ts';
import type { Lease } from '../../ports/leases.ts';
import type { ReadModelSet } from '../../ports/read-models.ts';
import type { SearchIndex, SearchKind, VectorStore } from '../../ports/search-index.ts';
import { parseChunkDocumentId } from '../../search/chunks/chunk-document.ts';
import { type ChangeWriter, createChangeWriter } from './change-writer.ts';
import { chunkDocuments, chunkIdsOfFile, chunkTextsToEmbed } from './chunk-documents.ts';
import type { LoadDocuments } from './made-document.ts';
import { releaseDocuments } from './release-documents.ts';
import { sourceDocuments } from './source-documents.ts';
import { fileHolder, holderOf } from './texts-to-embed.ts';
import { type TouchedDocuments, touchedDocuments } from './touched-documents.ts';

export interface IndexBatchDeps {
  readonly models: ReadModelSet;
  readonly index: SearchIndex;
  /** The one that it shall take the place of: what that one's vectors were made of must be known when it is gone. */
  readonly former?: SearchIndex | undefined;
  readonly vectors: Pick<VectorStore, 'hold' | 'forget'>;
  readonly lease: Lease;
}

/** A release may hold a megabyte: so many are in memory at once. */
const documentsAtOnce = 100;
const idsAtOnce = 500;

const documentsOf: Readonly<Record<SearchKind, LoadDocuments>> = {
  release: releaseDocuments,
  chunk: chunkDocuments,
  source: sourceDocuments,
};

interface Writing extends IndexBatchDeps {
  readonly writer: ChangeWriter;
  readonly position: number;
}

async function hashesOf({ index, former }: Writing, kind: SearchKind, ids: readonly string[]) {
  const own = await index.textHashesOf(kind, ids);
  const others = former === undefined ? own : await former.textHashesOf(kind, ids);
  return (id: string): readonly string[] => own.get(id) ?? others.get(id) ?? [];
}

/**
 * Brings these documents to what the read models say. What is erased takes the vectors of its texts with it, and those go first:
 * once the document is deleted nobody looks for it again. What is only hidden keeps them: it may come back, and its text was
 * not changed. What they were made of is noted first, for when it is erased later.
 */
async function putDocuments(writing: Writing, kind: SearchKind, ids: readonly string[]): Promise<void> {
  const { models, vectors, writer, position } = writing;
  for (let from = 0; from < ids.length; from += documentsAtOnce) {
    const some = ids.slice(from, from + documentsAtOnce);
    const { docs, unsure, hidden } = await documentsOf[kind](models, some);
    const hashes = await hashesOf(writing, kind, some);
    const gone = some.filter((id) => !docs.has(id) && !unsure.has(id));
    const held = gone.filter((id) => hidden.has(id) && hashes(id).length > 0);
    if (held.length > 0) {
      await vectors.hold(held.map((id) => ({ holder: holderOf(kind, id), textHashes: hashes(id) })));
    }
    const left = gone
      .filter((id) => !hidden.has(id))
      .map((id) => ({
        holder: holderOf(kind, id),
        textHashes: kind === 'chunk' ? null : [],
        formerHashes: hashes(id),
      }));
    if (left.length > 0) await vectors.forget(left);
    for (const id of gone) await writer.add({ kind: 'delete', index: kind, position, id });
    for (const [id, doc] of docs) {
      await writer.add({ kind: 'put', index: kind, position, doc: { ...doc, textHashes: hashes(id) } });
    }
  }
}

/** All documents of a kind that a source has in the index. */
async function* idsOfSource(index: SearchIndex, kind: SearchKind, sourceId: string): AsyncGenerator<string[]> {
  let after = '';
  for (;;) {
    const ids = await index.idsOfSource(kind, sourceId, after, idsAtOnce);
    if (ids.length > 0) yield ids;
    if (ids.length < idsAtOnce) return;
    after = ids.at(-1)!;
  }
}

/** Those of its chunks that the index has, by an earlier text too. */
async function storedChunks({ index }: Writing, fileId: string): Promise<string[]> {
  const ids: string[] = [];
  const sourceId = fileId.slice(0, fileId.indexOf('/'));
  for await (const stored of idsOfSource(index, 'chunk', sourceId)) {
    ids.push(...stored.filter((id) => parseChunkDocumentId(id)?.fileId === fileId));
  }
  return ids;
}

/**
 * The chunks that a file has now, and none that only an earlier text had. Most of a text that was added to stands elsewhere
 * now, under another id: its vectors stay.
 */
async function putFile(writing: Writing, fileId: string): Promise<void> {
  const { models, vectors, writer, position } = writing;
  const ids = await chunkIdsOfFile(models, fileId);
  if (ids === null) return;
  const before = await storedChunks(writing, fileId);
  const formerHashes: string[] = [];
  for (let from = 0; from < before.length; from += idsAtOnce) {
    const some = before.slice(from, from + idsAtOnce);
    formerHashes.push(...some.flatMap(await hashesOf(writing, 'chunk', some)));
  }
  const hashes = new Map<string, readonly string[]>();
  for (let from = 0; from < ids.length; from += documentsAtOnce) {
    const texts = await chunkTextsToEmbed(models, ids.slice(from, from + documentsAtOnce));
    for (const [id, { entries }] of texts) {
      hashes.set(
        id,
        entries.map(({ textHash }) => textHash),
      );
    }
  }
  const textHashes = [...hashes.values()].flat();
  await vectors.forget([{ holder: fileHolder(fileId), textHashes, formerHashes }]);
  const present = new Set(ids);
  for (const id of before) if (!present.has(id)) await writer.add({ kind: 'delete', index: 'chunk', position, id });
  for (let from = 0; from < ids.length; from += documentsAtOnce) {
    const { docs } = await chunkDocuments(models, ids.slice(from, from + documentsAtOnce));
    for (const [id, doc] of docs) {
      await writer.add({ kind: 'put', index: 'chunk', position, doc: { ...doc, textHashes: hashes.get(id) ?? [] } });
    }
  }
}

/** Of one org, all of them or those of some products. */
async function sourcesOfOrg(models: ReadModelSet, orgId: string, productIds: ReadonlySet<string> | null) {
  const ids: string[] = [];
  let after: string | undefined;
  for (;;) {
    const range = { index: 'byOrg', equals: { orgId }, limit: idsAtOnce, ...(after && { after: [after] }) };
    const page = await models.of(sourceProjection).query(range);
    for (const { id, productId } of page) {
      if (productIds === null || (productId !== null && productIds.has(productId))) ids.push(id);
    }
    if (page.length < idsAtOnce) return ids;
    after = page.at(-1)!.id;
  }
}

/** Which products belong to which org, also those that are gone by now. */
async function productsByOrg(models: ReadModelSet, productIds: ReadonlySet<string>, events: EventBatch['events']) {
  const products = productIds.size === 0 ? [] : await models.of(productProjection).get([...productIds]);
  const orgOf = new Map(products.map(({ id, orgId }) => [id, orgId]));
  for (const { type, stream, data } of events) {
    if (type === 'ProductPurged.v1') orgOf.set(stream.id, (data as { readonly orgId: string }).orgId);
  }
  const byOrg = new Map<string, Set<string>>();
  for (const [id, orgId] of orgOf) if (productIds.has(id)) byOrg.set(orgId, (byOrg.get(orgId) ?? new Set()).add(id));
  return byOrg;
}

/** The sources below some products and orgs. */
async function sourcesBelow(
  models: ReadModelSet,
  { products, orgs }: TouchedDocuments['described'],
  events: EventBatch['events'],
): Promise<Set<string>> {
  const ids = new Set<string>();
  for (const [orgId, ofOrg] of await productsByOrg(models, products, events)) {
    if (!orgs.has(orgId)) for (const id of await sourcesOfOrg(models, orgId, ofOrg)) ids.add(id);
  }
  for (const orgId of orgs) for (const id of await sourcesOfOrg(models, orgId, null)) ids.add(id);
  return ids;
}

/** Brings the index along with a batch of events, from read models that have seen it. */
export async function indexBatch(deps: IndexBatchDeps, { events, position }: EventBatch): Promise<void> {
  const { models, index, lease } = deps;
  const touched = touchedDocuments(events);
  const writer = createChangeWriter(index, lease);
  const writing: Writing = { ...deps, writer, position };
  const renamed = new Set([...touched.renamed.sources, ...(await sourcesBelow(models, touched.renamed, events))]);
  const described = await sourcesBelow(models, touched.described, events);
  await putDocuments(writing, 'source', [...new Set([...touched.sources, ...renamed, ...described])]);
  await putDocuments(writing, 'release', [...touched.releases]);
  for (const fileId of touched.files) await putFile(writing, fileId);
  for (const sourceId of touched.fileless) {
    const fileIds = new Set<string>();
    for await (const ids of idsOfSource(index, 'chunk', sourceId)) {
      for (const id of ids) fileIds.add(parseChunkDocumentId(id)?.fileId ?? id);
    }
    for (const fileId of fileIds) if (!touched.files.has(fileId)) await putFile(writing, fileId);
  }
  for (const sourceId of renamed) {
    for (const kind of ['release', 'chunk'] as const) {
      for await (const ids of idsOfSource(index, kind, sourceId)) {
        await putDocuments(
          writing,
          kind,
          ids.filter((id) => !touched.releases.has(id)),
        );
      }
    }
  }
  await writer.finish(position);
}
