import { tagsOfModel } from '../../projections/tags-of-write.ts';
import { type Places, placeOf } from '../concurrency/shared-memory/touched-tags.ts';
import type { Document, ReadModelDeclaration } from '../kernel/projection.ts';
import type { ReadModel } from '../ports/read-models.ts';

/** What is brought in in one go: whoever waits for an answer meanwhile shall hardly notice. */
const chunkRows = 100;

export interface Follower {
  readonly load: () => Promise<void>;
  /** Brings in what was written since. */
  readonly catchUp: () => Promise<void>;
  /** Up to where it has brought in everything. */
  readonly seen: () => number;
}

export interface Followed<Doc extends Document> {
  readonly apply: (doc: Doc) => void;
  /** Brings in everything, instead of `apply` for each one; answers a position up to which nothing is missing. */
  readonly load?: (model: ReadModel<Doc>) => Promise<number>;
  readonly remove: (id: string) => void;
}

/** What the projector of this process tells of its writes. */
export interface ToldWrites {
  /** Changes with each of them. */
  readonly value: () => number;
  readonly isTouchedSince: (places: Places, stamp: number) => boolean;
  /** How far it has brought a generation, also where another process has gone on since. Told after what was touched on the way. */
  readonly position: (name: string, generation: number) => number;
}

/** Stamps begin anew after 2^32 writes, of which a position may take as many as there are read models. */
const positionsToldMax = 10_000_000;

/**
 * Tells whether nothing was written to a read model but its checkpoint. Most events concern few read models, and to ask
 * each store for its changes costs more than all else that a lone write makes a reader do. Where the projector of this
 * process has written all the way, it has told what. Another one that wrote in between has told nothing, but whoever takes
 * over from it touches everything before its first write.
 */
function createUnchanged(told: ToldWrites | undefined, { name, generation }: ReadModelDeclaration) {
  const tags = tagsOfModel(name);
  const places = tags?.map(placeOf);
  /** Where all was brought in, and the stamp from before that was found out; null where others wrote up to there. */
  let known: { readonly checkpoint: number; readonly stamp: number } | null = null;
  const isOwn = (checkpoint: number): boolean => told !== undefined && told.position(name, generation) >= checkpoint;
  return {
    stamp: (): number => told?.value() ?? 0,
    isSo: (checkpoint: number): boolean =>
      told !== undefined &&
      places !== undefined &&
      known !== null &&
      checkpoint - known.checkpoint < positionsToldMax &&
      isOwn(checkpoint) &&
      !told.isTouchedSince(places, known.stamp),
    broughtIn: (checkpoint: number, stamp: number): void => {
      known = isOwn(checkpoint) ? { checkpoint, stamp } : null;
    },
  };
}

/** Hands over every document of a read model once, then each one that changes or goes. */
export const createFollower = <Doc extends Document>(
  model: ReadModel<Doc>,
  { apply, remove, load }: Followed<Doc>,
  told?: ToldWrites,
): Follower => {
  let lastChange = { position: 0, id: '' };
  let checkpointSeen = -1;
  const unchanged = createUnchanged(told, model.declaration);

  async function bringIn(): Promise<void> {
    for (;;) {
      const rows = await model.changedAfter(lastChange, chunkRows);
      for (const { id, doc } of rows) {
        if (doc === null) remove(id);
        else apply(doc);
      }
      const last = rows.at(-1);
      if (last !== undefined) lastChange = { position: last.position, id: last.id };
      if (rows.length < chunkRows) return;
    }
  }

  async function applyAll(): Promise<number> {
    // Taken before the scan: what is written while it runs is seen again and not missed.
    const position = await model.checkpoint();
    await model.readAll((docs) => docs.forEach((doc) => apply(doc)));
    return position;
  }

  return {
    seen: () => checkpointSeen,
    load: async () => {
      lastChange = { position: await (load ?? applyAll)(model), id: '' };
    },
    catchUp: async () => {
      const stamp = unchanged.stamp(); // before the checkpoint: what is told from now on may lie behind it
      // Documents change together with the checkpoint: while it stands, so do they.
      const checkpoint = await model.checkpoint();
      if (checkpoint === checkpointSeen) return;
      if (!unchanged.isSo(checkpoint)) await bringIn();
      unchanged.broughtIn(checkpoint, stamp);
      checkpointSeen = checkpoint;
    },
  };
};
