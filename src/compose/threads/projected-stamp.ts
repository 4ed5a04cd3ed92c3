import { allProjections } from '../../../projections/all-projections.ts';
import { everythingTag, tagsOfWrite } from '../../../projections/tags-of-write.ts';
import { createTouchedTags, touchedTagsBytes } from '../../concurrency/shared-memory/touched-tags.ts';
import type { Announcement, WrittenReadModel } from '../../runtime/projector/announced-writes.ts';
import type { ToldWrites } from '../../catalogue/follower.ts';
import type { Document } from '../../kernel/projection.ts';
import type { TellDocuments, ToldDocuments } from './told-documents.ts';

type Touched = ReturnType<typeof createTouchedTags>;

/** Changes with every write to the read models of this process, and to what else answers are made of; its threads share it. */
export interface ProjectedStamp extends Pick<Touched, 'isTouchedSince' | 'touch'> {
  readonly memory: SharedArrayBuffer;
  readonly value: () => number;
  /**
   * Changes when other generations may be live than before, when the projector of this process is about to write what others may
   * have written before, and when it does not know whether it has written.
   */
  readonly switches: () => number;
  /** To be called by whoever writes, once it can be read. */
  readonly announce: (announcement: Announcement) => void;
  /** How far this process itself has brought a generation; 0 of all but the newest that it has written of that read model. */
  readonly position: (name: string, generation: number) => number;
  /** The same for who brings in what was written: there before the stamp tells that anything was. */
  readonly toldPosition: (name: string, generation: number) => number;
  /** Where it has changed documents of it last, or may have. */
  readonly written: (name: string, generation: number) => number;
}

const numbers = new Map(allProjections.map(({ name }, number) => [name, number]));
/** Of each read model its generation, then the three positions. */
const cellsOfModel = 4;
const [positionCell, toldCell, writtenCell] = [1, 2, 3];
const cellCount = cellsOfModel * allProjections.length;
const positionsBytes = cellCount * BigInt64Array.BYTES_PER_ELEMENT;
const switchesBytes = Int32Array.BYTES_PER_ELEMENT;

interface KnownWrite extends WrittenReadModel {
  readonly position: number;
}

const isKnown = (write: WrittenReadModel): write is KnownWrite => write.position !== null;

export const createProjectedStamp = (
  memory = new SharedArrayBuffer(positionsBytes + switchesBytes + touchedTagsBytes),
  tell?: TellDocuments,
): ProjectedStamp => {
  const cells = new BigInt64Array(memory, 0, cellCount);
  const switches = new Int32Array(memory, positionsBytes, 1);
  const touched = createTouchedTags(memory, positionsBytes + switchesBytes);

  const firstCell = (name: string): number => cellsOfModel * numbers.get(name)!;
  const generationOf = (name: string): number => Number(Atomics.load(cells, firstCell(name)));
  const store = (name: string, cell: number, value: number): void =>
    void Atomics.store(cells, firstCell(name) + cell, BigInt(value));

  const read =
    (cell: number) =>
    (name: string, generation: number): number => {
      if (generationOf(name) !== generation) return 0;
      const value = Number(Atomics.load(cells, firstCell(name) + cell));
      return generationOf(name) === generation ? value : 0; // it may have become another one's meanwhile
    };
  const [position, toldPosition, written] = [read(positionCell), read(toldCell), read(writtenCell)];

  /** One that was live before is fed on for a while beside the one that is, often in one write: only of that one is told. */
  const isOfNewest = ({ name, generation }: KnownWrite, all: readonly KnownWrite[]): boolean =>
    generation >= generationOf(name) && all.every((other) => other.name !== name || other.generation <= generation);

  /** Nobody shall take the place of the former generation for that of this one, or its beginning for one without changes. */
  const beginGeneration = ({ name, generation, position: first }: KnownWrite): void => {
    store(name, positionCell, 0);
    store(name, toldCell, 0);
    store(name, writtenCell, first);
    store(name, 0, generation);
  };

  const note = (write: KnownWrite): void => {
    const { name, generation, changes } = write;
    const isFirst = generationOf(name) !== generation;
    // Before anything tells that they are there. What was written before the first of a generation, nobody knows here.
    if (changes.length > 0) tell?.(write, isFirst ? Number.POSITIVE_INFINITY : written(name, generation));
    if (isFirst) beginGeneration(write);
    else if (changes.length > 0) store(name, writtenCell, write.position);
    // Behind the changes: who finds this one knows of all up to it.
    store(name, toldCell, write.position);
  };

  const announce = (announcement: Announcement): void => {
    // Before the touch: who finds that something was written must not go on with what was live, or known, before.
    if (announcement === null || !announcement.every(isKnown)) Atomics.add(switches, 0, 1);
    if (announcement === null) return touched.touch([everythingTag]);
    const known = announcement.filter(isKnown);
    const newest = known.filter((write) => isOfNewest(write, known));
    for (const write of newest) note(write);
    touched.touch(new Set(announcement.flatMap(({ name, changes }) => [...tagsOfWrite(name, changes)])));
    // After the touch: who finds a position here may trust the tags up to it.
    for (const write of newest) store(write.name, positionCell, write.position);
  };

  return {
    memory,
    value: touched.stamp,
    switches: () => Atomics.load(switches, 0),
    isTouchedSince: touched.isTouchedSince,
    touch: touched.touch,
    announce,
    position,
    toldPosition,
    written,
  };
};

/** What a follower of the read models of this process is told. */
export const toldWrites = (
  { switches, toldPosition, written }: Pick<ProjectedStamp, 'switches' | 'toldPosition' | 'written'>,
  documents: Pick<ToldDocuments, 'changedAfter'>,
): ToldWrites => ({
  switches,
  position: toldPosition,
  changedAfter: <Doc extends Document>(name: string, generation: number, after: number | null) =>
    documents.changedAfter<Doc>({ name, generation, written: written(name, generation) }, after),
});
