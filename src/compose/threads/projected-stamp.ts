import { allProjections } from '../../../projections/all-projections.ts';
import { everythingTag, tagsOfWrite } from '../../../projections/tags-of-write.ts';
import { createTouchedTags, touchedTagsBytes } from '../../concurrency/shared-memory/touched-tags.ts';
import type { Announcement } from '../../runtime/projector/announced-writes.ts';

type Touched = ReturnType<typeof createTouchedTags>;

/** Changes with every write to the read models of this process, and to what else answers are made of; its threads share it. */
export interface ProjectedStamp extends Pick<Touched, 'isTouchedSince' | 'touch'> {
  readonly memory: SharedArrayBuffer;
  readonly value: () => number;
  /** To be called by whoever writes, once it can be read. */
  readonly announce: (announcement: Announcement) => void;
  /** How far this process itself has brought a generation; 0 where it was not the last to write to that read model. */
  readonly position: (name: string, generation: number) => number;
}

const numbers = new Map(allProjections.map(({ name }, number) => [name, number]));
const generationsAndPositions = 2 * allProjections.length;
const positionsBytes = generationsAndPositions * BigInt64Array.BYTES_PER_ELEMENT;

export const createProjectedStamp = (
  memory = new SharedArrayBuffer(positionsBytes + touchedTagsBytes),
): ProjectedStamp => {
  const positions = new BigInt64Array(memory, 0, generationsAndPositions);
  const touched = createTouchedTags(memory, positionsBytes);

  const announce = (written: Announcement): void => {
    if (written === null) return touched.touch([everythingTag]);
    touched.touch(new Set(written.flatMap(({ name, changes }) => [...tagsOfWrite(name, changes)])));
    // After the touch: who finds a position here may trust the tags up to it.
    for (const { name, generation, position } of written) {
      if (position === null) continue;
      const place = 2 * numbers.get(name)!;
      // One that was live before is fed on for a while beside the one that is.
      if (Atomics.load(positions, place) > BigInt(generation)) continue;
      // Nobody shall take the place of the former generation for that of this one.
      if (Atomics.load(positions, place) !== BigInt(generation)) Atomics.store(positions, place + 1, 0n);
      Atomics.store(positions, place, BigInt(generation));
      Atomics.store(positions, place + 1, BigInt(position));
    }
  };

  return {
    memory,
    value: touched.stamp,
    isTouchedSince: touched.isTouchedSince,
    touch: touched.touch,
    announce,
    position: (name, generation) => {
      const place = 2 * numbers.get(name)!;
      return Atomics.load(positions, place) === BigInt(generation) ? Number(Atomics.load(positions, place + 1)) : 0;
    },
  };
};
