import type { Document, ReadModelDeclaration } from '../kernel/projection.ts';
import { placeBehind, type ReadModel } from '../ports/read-models.ts';

/** What is brought in in one go: whoever waits for an answer meanwhile shall hardly notice. */
const chunkRows = 100;

export interface Follower {
  readonly load: () => Promise<void>;
  /** Brings in what was written since, whoever did. */
  readonly catchUp: () => Promise<void>;
  /** The same of what the projector of this process has told, unless others may have written since the last catch-up. */
  readonly catchUpTold: () => Promise<void>;
  /** Up to where it has brought in everything. */
  readonly seen: () => number;
}

export interface Followed<Doc extends Document> {
  readonly apply: (doc: Doc) => void;
  /** Brings in everything, instead of `apply` for each one; answers a position up to which nothing is missing. */
  readonly load?: (model: ReadModel<Doc>) => Promise<number>;
  readonly remove: (id: string) => void;
}

/** What was written to a read model past some position, in order, and up to where that is all. */
export interface ChangesTold<Doc extends Document> {
  readonly documents: readonly { readonly id: string; readonly doc: Doc | null }[];
  readonly position: number;
}

/** What the projector of this process tells of its writes. */
export interface ToldWrites {
  /** Changes when it is about to write what others may have written before, and when it does not know whether it has written. */
  readonly switches: () => number;
  /** How far it has brought a generation, also where another process has gone on since. */
  readonly position: (name: string, generation: number) => number;
  /** What it has written to it past a position; null where it has not told all of that, or the position is not known. */
  readonly changedAfter: <Doc extends Document>(
    name: string,
    generation: number,
    position: number | null,
  ) => ChangesTold<Doc> | null;
}

/** What was told at one moment. */
interface Told {
  readonly switches: number;
  readonly position: number;
}

/**
 * To ask each store for its changes costs more than all else that a lone write makes a reader do. Where the projector of this
 * process has written all the way from where everything was brought in, it has told what. Another one that wrote in between has
 * told nothing, but whoever takes over from it says so before its first write.
 */
function createOwnWrites<Doc extends Document>(
  told: ToldWrites | undefined,
  { name, generation }: ReadModelDeclaration,
) {
  /** Where all was brought in, and what was told before that was found out; null where others wrote up to there. */
  let known: { readonly checkpoint: number; readonly switches: number } | null = null;
  const positionTold = (): number => told?.position(name, generation) ?? 0;

  return {
    told: (): Told => ({ switches: told?.switches() ?? 0, position: positionTold() }),
    /** Nobody else can have written where this process has told to be since. */
    isFedHere: ({ position }: Told): boolean => known !== null && position >= known.checkpoint,
    /** Null where the store has to be asked. */
    changedTo: (checkpoint: number): ChangesTold<Doc> | null => {
      if (told === undefined) return null;
      const isTold = known !== null && positionTold() >= checkpoint;
      const changes = told.changedAfter<Doc>(name, generation, isTold ? known!.checkpoint : null);
      // Behind the changes: what was told after others wrote must not be taken for all.
      return told.switches() === known?.switches ? changes : null;
    },
    broughtIn: (checkpoint: number, { switches }: Told): void => {
      known = told !== undefined && positionTold() >= checkpoint ? { checkpoint, switches } : null;
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
  const own = createOwnWrites<Doc>(told, model.declaration);

  function bringInAll(rows: ChangesTold<Doc>['documents']): void {
    for (const { id, doc } of rows) {
      if (doc === null) remove(id);
      else apply(doc);
    }
  }

  async function bringIn(): Promise<void> {
    for (;;) {
      const rows = await model.changedAfter(lastChange, chunkRows);
      bringInAll(rows);
      const last = rows.at(-1);
      if (last !== undefined) lastChange = { position: last.position, id: last.id };
      if (rows.length < chunkRows) return;
    }
  }

  /** The store has shown what was written since, before this process told of it: it would come back as it was. */
  const isOutdated = ({ documents, position }: ChangesTold<Doc>): boolean =>
    documents.length > 0 && position < lastChange.position;

  /** Documents change together with the checkpoint: while it stands, so do they. */
  async function bringInTo(checkpoint: number, toldBefore: Told): Promise<void> {
    if (checkpoint === checkpointSeen) return;
    const changes = own.changedTo(checkpoint);
    if (changes === null || isOutdated(changes)) await bringIn();
    else {
      bringInAll(changes.documents);
      if (changes.documents.length > 0) lastChange = placeBehind(changes.position);
    }
    checkpointSeen = Math.max(checkpoint, changes?.position ?? 0);
    own.broughtIn(checkpointSeen, toldBefore);
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
      const toldNow = own.told(); // before the checkpoint: what is told from now on may lie behind it
      await bringInTo(await model.checkpoint(), toldNow);
    },
    catchUpTold: async () => {
      const toldNow = own.told();
      // A look has found it before it was told. Where nothing is told of what is read, nobody knows what was written.
      if (toldNow.position > 0 && toldNow.position <= checkpointSeen) return;
      await bringInTo(own.isFedHere(toldNow) ? toldNow.position : await model.checkpoint(), toldNow);
    },
  };
};
