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
  /** Changes when other generations may be live than before, or when it is not known what was written. */
  readonly switches: () => number;
  /** To be called by whoever writes, once it can be read. */
  readonly announce: (announcement: Announcement) => void;
  /** How far this process itself has brought a generation; 0 where it was not the last to write to that read model. */
  readonly position: (name: string, generation: number) => number;
  /** Where it has changed documents of it last. */
  readonly written: (name: string, generation: number) => number;
}

const numbers = new Map(allProjections.map(({ name }, number) => [name, number]));
/** Of each read model its generation, and how far that was brought and changed. */
const cellsOfModel = 3;
const cellCount = cellsOfModel * allProjections.length;
const positionsBytes = cellCount * BigInt64Array.BYTES_PER_ELEMENT;
const switchesBytes = Int32Array.BYTES_PER_ELEMENT;

export const createProjectedStamp = (
  memory = new SharedArrayBuffer(positionsBytes + switchesBytes + touchedTagsBytes),
  tell?: TellDocuments,
): ProjectedStamp => {
  const positions = new BigInt64Array(memory, 0, cellCount);
  const switches = new Int32Array(memory, positionsBytes, 1);
  const touched = createTouchedTags(memory, positionsBytes + switchesBytes);

  const cellOf = (name: string): number => cellsOfModel * numbers.get(name)!;
  const isGeneration = (name: string, generation: number): boolean =>
    Atomics.load(positions, cellOf(name)) === BigInt(generation);
  const position: ProjectedStamp['position'] = (name, generation) =>
    isGeneration(name, generation) ? Number(Atomics.load(positions, cellOf(name) + 1)) : 0;
  const written: ProjectedStamp['written'] = (name, generation) =>
    isGeneration(name, generation) ? Number(Atomics.load(positions, cellOf(name) + 2)) : 0;

  /** One that was live before is fed on for a while beside the one that is. */
  const isFormer = (name: string, generation: number): boolean =>
    Atomics.load(positions, cellOf(name)) > BigInt(generation);

  const noteWritten = (write: WrittenReadModel & { readonly position: number }): void => {
    const { name, generation, changes } = write;
    const cell = cellOf(name);
    // Nobody shall take the place of the former generation for that of this one.
    if (!isGeneration(name, generation)) {
      Atomics.store(positions, cell + 1, 0n);
      Atomics.store(positions, cell + 2, 0n);
    }
    Atomics.store(positions, cell, BigInt(generation));
    // Before the position: who finds that one knows of all changes up to it.
    if (changes.length > 0) Atomics.store(positions, cell + 2, BigInt(write.position));
    Atomics.store(positions, cell + 1, BigInt(write.position));
  };

  const announce = (announcement: Announcement): void => {
    const known = (announcement ?? []).flatMap((write) =>
      write.position === null || isFormer(write.name, write.generation) ? [] : [{ ...write, position: write.position }],
    );
    // Before anything tells that they are there.
    for (const write of known) if (write.changes.length > 0) tell?.(write, written(write.name, write.generation));
    // Before the touch: who finds that something was written must not go on with what was live before.
    if (announcement === null || announcement.some((write) => write.position === null)) Atomics.add(switches, 0, 1);
    if (announcement === null) return touched.touch([everythingTag]);
    touched.touch(new Set(announcement.flatMap(({ name, changes }) => [...tagsOfWrite(name, changes)])));
    // After the touch: who finds a position here may trust the tags up to it.
    for (const write of known) noteWritten(write);
  };

  return {
    memory,
    value: touched.stamp,
    switches: () => Atomics.load(switches, 0),
    isTouchedSince: touched.isTouchedSince,
    touch: touched.touch,
    announce,
    position,
    written,
  };
};

/** What a follower of the read models of this process is told. */
export const toldWrites = (
  { switches, position, written }: Pick<ProjectedStamp, 'switches' | 'position' | 'written'>,
  told: Pick<ToldDocuments, 'changedAfter'>,
): ToldWrites => ({
  switches,
  position,
  changedAfter: <Doc extends Document>(name: string, generation: number, after: number) => {
    const last = written(name, generation);
    return last <= after
      ? { documents: [], position: after }
      : told.changedAfter<Doc>({ name, generation, written: last }, after);
  },
});
