import type { RecordedEvent } from '../../kernel/event.ts';
import type { Change, Document, Equals, Projection } from '../../kernel/projection.ts';
import type { PositionedChange, ReadModel } from '../../ports/read-models.ts';

/** A fold threw: a fault of its code or of the event, not of a store, so trying again would not help. */
export class FoldFailure extends Error {
  readonly position: number;

  constructor(sentence: string, position: number, options?: ErrorOptions) {
    super(sentence, options);
    this.name = 'FoldFailure';
    this.position = position;
  }
}

function foldFailure(projection: string, { position, type, stream }: RecordedEvent, cause: unknown): FoldFailure {
  const reason = cause instanceof Error ? cause.message : String(cause);
  const sentence = `${projection} stopped at position ${position} (${type} in ${stream.name}): ${reason}`;
  return new FoldFailure(sentence, position, { cause });
}

export const matches = (doc: Readonly<Record<string, unknown>>, equals: Equals): boolean =>
  Object.entries(equals).every(([field, value]) => doc[field] === value);

/**
 * The documents in hand while a batch is folded, and the changes made of them. A document that changes several times
 * is written once, unless a change by index stands between.
 */
function createWorkingSet(loaded: readonly Document[]) {
  const docs = new Map(loaded.map((doc) => [doc.id, doc]));
  const changes: PositionedChange<Document>[] = [];
  let latest = new Map<string, PositionedChange<Document>>();
  const flush = () => {
    changes.push(...latest.values());
    latest = new Map();
  };

  function apply(change: Change<Document>, position: number): void {
    if (change.kind === 'put') {
      docs.set(change.doc.id, change.doc);
      latest.set(change.doc.id, { ...change, position });
    } else if (change.kind === 'delete') {
      docs.delete(change.id);
      latest.set(change.id, { ...change, position });
    } else {
      flush();
      changes.push({ ...change, position });
      for (const doc of [...docs.values()]) {
        if (!matches(doc, change.equals)) continue;
        if (change.kind === 'deleteWhere') docs.delete(doc.id);
        else docs.set(doc.id, { ...doc, ...change.set });
      }
    }
  }

  return {
    docs,
    apply,
    finish: () => {
      flush();
      return changes;
    },
  };
}

const guarded = <T>(projection: Projection, event: RecordedEvent, step: () => T): T => {
  try {
    return step();
  } catch (error) {
    throw foldFailure(projection.name, event, error);
  }
};

/** The documents that are looked at when an event is folded. */
export const idsToLoad = (projection: Projection, event: RecordedEvent): readonly string[] => {
  const entry = projection.on[event.type]!;
  return entry.readsNothing ? [] : guarded(projection, event, () => entry.load(event));
};

/** Folds a batch into the changes to write. What the batch needs is loaded at once; later events see earlier ones. */
export async function foldBatch(
  projection: Projection,
  model: Pick<ReadModel, 'get'>,
  events: readonly RecordedEvent[],
): Promise<PositionedChange<Document>[]> {
  const wanted = new Set<string>();
  for (const event of events) {
    for (const id of idsToLoad(projection, event)) wanted.add(id);
  }
  const working = createWorkingSet(wanted.size > 0 ? await model.get([...wanted]) : []);
  for (const event of events) {
    const changes = guarded(projection, event, () => projection.on[event.type]!.fold(working.docs, event));
    for (const change of changes) working.apply(change, event.position);
  }
  return working.finish();
}
