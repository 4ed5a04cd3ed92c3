import type { Document } from '../kernel/projection.ts';
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
  /** While everything is loaded, instead of `apply`: where nobody has to be told of each one. */
  readonly applyLoaded?: (doc: Doc) => void;
  readonly remove: (id: string) => void;
}

/** Hands over every document of a read model once, then each one that changes or goes. */
export const createFollower = <Doc extends Document>(
  model: ReadModel<Doc>,
  { apply, remove, applyLoaded = apply }: Followed<Doc>,
): Follower => {
  let lastChange = { position: 0, id: '' };
  let checkpointSeen = -1;

  return {
    seen: () => checkpointSeen,
    load: async () => {
      // Taken before the scan: what is written while it runs is seen again and not missed.
      const position = await model.checkpoint();
      await model.readAll((docs) => docs.forEach((doc) => applyLoaded(doc)));
      lastChange = { position, id: '' };
    },
    catchUp: async () => {
      // Documents change together with the checkpoint: while it stands, so do they.
      const checkpoint = await model.checkpoint();
      if (checkpoint === checkpointSeen) return;
      for (;;) {
        const rows = await model.changedAfter(lastChange, chunkRows);
        for (const { id, doc } of rows) {
          if (doc === null) remove(id);
          else apply(doc);
        }
        const last = rows.at(-1);
        if (last !== undefined) lastChange = { position: last.position, id: last.id };
        if (rows.length < chunkRows) break;
      }
      checkpointSeen = checkpoint;
    },
  };
};
