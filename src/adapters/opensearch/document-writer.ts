import { fewAtOnce } from '../../concurrency/few-at-once.ts';
import type { SearchChange, SearchKind } from '../../ports/search-index.ts';
import { type BulkPart, bulkPieces, sendBulk } from './bulk.ts';
import { longAnswerMs, type OpenSearchConnection } from './connection.ts';
import { type FoldedChange, foldChanges, type VectorsChange } from './folded-changes.ts';
import { type IndexDefinitions, isForTheSame } from './indices/index-definitions.ts';
import { vectorsFieldOf, writeAliasOf } from './names.ts';
import { readNow } from './reading/read-now.ts';
import { dimensionsOf, type StoredDocument, storedDocument, withVectors } from './stored-document.ts';

export interface DocumentWriterOptions {
  readonly connection: OpenSearchConnection;
  readonly definitions: IndexDefinitions;
  readonly indexOf: (kind: SearchKind) => string;
}

export interface DocumentWriter {
  /** `moment` begins what the state of each index is called from then on; `isNoted` is awaited before anything is sent. */
  readonly write: (changes: readonly SearchChange[], moment: string, isNoted: () => Promise<void>) => Promise<void>;
}

/** The document of an index that tells which moment it shows. No id of ours begins so. */
export const momentId = '~moment';

/** Read back at once, to get their vectors: documents hold whole texts, the longer the more entries they have. */
const readBackMax = { documents: 100, entries: 1_000 };
/** While the server works on one piece, the next is made; and a server has more than one core, of which a piece uses one. */
const piecesAtOnce = 2;

type VectorsOnly = Extract<FoldedChange, { kind: 'vectors' }>;

const vectorsIn = (folded: readonly FoldedChange[]): VectorsChange[] =>
  folded.flatMap((change) => {
    if (change.kind === 'vectors') return [...change.byPosition.values()];
    return change.kind === 'put' && change.vectors !== undefined ? [change.vectors] : [];
  });

function* readBackPieces(changes: readonly VectorsOnly[]): Generator<VectorsOnly[]> {
  let piece: VectorsOnly[] = [];
  let entries = 0;
  for (const change of changes) {
    piece.push(change);
    entries += Math.max(...Array.from(change.byPosition.values(), (vectors) => vectors.entries.length));
    if (piece.length < readBackMax.documents && entries < readBackMax.entries) continue;
    yield piece;
    piece = [];
    entries = 0;
  }
  if (piece.length > 0) yield piece;
}

export function createDocumentWriter({ connection, definitions, indexOf }: DocumentWriterOptions): DocumentWriter {
  const mapped = new Set<string>();

  const storedField = async (index: string, field: string): Promise<unknown> => {
    type Mappings = Readonly<Record<string, { mappings: { properties?: Readonly<Record<string, unknown>> } }>>;
    const { body } = await connection.ask<Mappings>({
      what: 'look at the fields of an index',
      method: 'GET',
      path: `/${index}/_mapping`,
      timeoutMs: longAnswerMs,
    });
    return body[index]?.mappings.properties?.[field];
  };

  /**
   * An index has a field for each space that it holds vectors of. One that an earlier version made for the same vectors stays as
   * it is, because its graph cannot be changed; any other that does not fit is refused by the server, in words.
   */
  const mapSpaces = async (changes: readonly VectorsChange[]): Promise<void> => {
    for (const change of changes) {
      const dimensions = dimensionsOf(change);
      const key = `${change.index} ${dimensions} ${change.space}`;
      if (dimensions === 0 || mapped.has(key)) continue;
      const [index, field] = [indexOf(change.index), vectorsFieldOf(change.space)];
      const definition = definitions.vectors(dimensions);
      if (!isForTheSame(await storedField(index, field), definition)) {
        await connection.ask({
          what: 'make a field for vectors',
          method: 'PUT',
          path: `/${index}/_mapping`,
          body: { properties: { [field]: definition } },
          timeoutMs: longAnswerMs,
        });
      }
      mapped.add(key);
    }
  };

  const readBack = (changes: readonly VectorsOnly[]): Promise<(StoredDocument | undefined)[]> =>
    readNow(connection, {
      what: 'read documents that get their vectors',
      fields: { _source_excludes: 'vectors' },
      wanted: changes.map(({ index, id }) => ({ index: indexOf(index), id })),
    });

  // The version of a document is its position, so an older change loses whenever it comes, and the same one again does not.
  const actionOf = (verb: 'index' | 'delete', { index, id }: FoldedChange, version: number): string =>
    JSON.stringify({
      [verb]: { _index: writeAliasOf(indexOf(index)), _id: id, version, version_type: 'external_gte' },
    });

  const partOf = (change: Exclude<FoldedChange, VectorsOnly>): BulkPart => {
    const { position } = change;
    if (change.kind === 'delete') return [actionOf('delete', change, position)];
    const doc = storedDocument(change.doc, position);
    return [
      actionOf('index', change, position),
      JSON.stringify(change.vectors === undefined ? doc : withVectors(doc, change.vectors)),
    ];
  };

  /** Vectors of another position than that of the document are left out; a newer document wins by its version. */
  const partWithVectors = (change: VectorsOnly, doc: StoredDocument | undefined): BulkPart[] => {
    const vectors = doc && change.byPosition.get(doc.position);
    if (doc === undefined || vectors === undefined) return [];
    return [[actionOf('index', change, doc.position), JSON.stringify(withVectors(doc, vectors))]];
  };

  const kindsIn = (changes: readonly FoldedChange[]): ReadonlySet<SearchKind> =>
    new Set(changes.map(({ index }) => index));

  return {
    write: async (changes, moment, isNoted) => {
      const folded = foldChanges(changes);
      await mapSpaces(vectorsIn(folded));
      let sent = 0;

      /** Each piece names a moment of its own: some may be seen before the others are written. */
      const send = async (parts: readonly BulkPart[], kinds: ReadonlySet<SearchKind>): Promise<void> => {
        if (parts.length === 0) return;
        sent += 1;
        const doc = JSON.stringify({ moment: `${moment} ${sent}` });
        const momentParts = Array.from(
          kinds,
          (kind): BulkPart => [JSON.stringify({ index: { _index: writeAliasOf(indexOf(kind)), _id: momentId } }), doc],
        );
        await isNoted();
        await sendBulk(connection, [...parts, ...momentParts]);
      };
      const isVectorsOnly = (change: FoldedChange): change is VectorsOnly => change.kind === 'vectors';
      const whole = folded.flatMap((change) => (isVectorsOnly(change) ? [] : [change]));
      await fewAtOnce(bulkPieces(whole.map(partOf)), piecesAtOnce, (parts) => send(parts, kindsIn(whole)));
      await fewAtOnce(readBackPieces(folded.filter(isVectorsOnly)), piecesAtOnce, async (some) => {
        const docs = await readBack(some);
        const parts = some.flatMap((change, number) => partWithVectors(change, docs[number]));
        for (const piece of bulkPieces(parts)) await send(piece, kindsIn(some));
      });
    },
  };
}
