import { everythingTag, isSeen, ownersOfWritesAreTold, tagsOfWrite } from '../../../projections/tags-of-write.ts';
import type { Change, Document, Projection } from '../../kernel/projection.ts';
import type { Clock } from '../../ports/clock.ts';
import { type ChangedDocument, placeBehind, type ReadModel, type ReadModelSet } from '../../ports/read-models.ts';

/** How old the last look may be before another one is begun. */
const lookAgainMs = 400;
/** What others write is seen within a second: with an older look nothing is answered from memory. */
const lookGoodMs = 900;
/** Of so many documents of a read model it is looked whose they are; where more were written, all answers are old. */
const changesMax = 50;

export interface ForeignWrites {
  /** False when it is not known what others have written. Begins a look when the last one gets old. */
  readonly isKnown: (nowMs: number) => boolean;
  /** Resolves when that is known; rejects when the read models are away. */
  readonly look: () => Promise<void>;
  /** Whether everything up to a position was told of by this process itself, or found by a look. */
  readonly isOwn: (reads: readonly Projection[], position: number) => boolean;
  /** Looks until that is so, at what has passed the position already; false where it cannot be found out. */
  readonly findOut: (reads: readonly Projection[], position: number) => Promise<boolean>;
}

const changeOf = ({ id, doc }: ChangedDocument<Document>): Change<Document> =>
  doc === null ? { kind: 'delete', id } : { kind: 'put', doc };

/** What was written to a read model past a position, by the tags that whoever wrote it has touched. */
async function tagsWrittenTo(model: ReadModel, position: number): Promise<ReadonlySet<string>> {
  const { name } = model.declaration;
  const limit = ownersOfWritesAreTold(name) ? changesMax + 1 : 1;
  const changed = await model.changedAfter(placeBehind(position), limit);
  return changed.length > changesMax ? new Set([everythingTag]) : tagsOfWrite(name, changed.map(changeOf));
}

/**
 * The projector of this process tells what it writes as it writes. Another process may do it instead, or switch to what it
 * has rebuilt: so the checkpoints are looked at again and again while somebody asks. They move with every event; what it
 * has changed is told by the documents.
 */
export function createForeignWrites(deps: {
  readonly live: { readonly current: () => Promise<ReadModelSet | null> };
  readonly projections: readonly Projection[];
  /** How far this process itself has brought a generation. */
  readonly ownPosition: (name: string, generation: number) => number;
  readonly onForeignWrite: (tags: ReadonlySet<string>) => void;
  readonly clock: Clock;
}): ForeignWrites {
  const { live, ownPosition, onForeignWrite, clock } = deps;
  const projections = deps.projections.filter(({ name }) => isSeen(name));
  let lookedMs = Number.NEGATIVE_INFINITY;
  let looking: Promise<void> | null = null;
  let models: ReadModelSet | null = null;
  let known: readonly number[] = [];

  async function lookOnce(): Promise<void> {
    const begunMs = clock.nowMs();
    const now = await live.current();
    if (now === null) {
      models = null;
      onForeignWrite(new Set([everythingTag]));
      return;
    }
    const read: readonly ReadModel[] = projections.map((projection) => now.of(projection));
    const positions = await Promise.all(read.map((model) => model.checkpoint()));
    const isForeign = ({ declaration: { name, generation } }: ReadModel, index: number): boolean =>
      positions[index]! > Math.max(known[index] ?? -1, ownPosition(name, generation));
    // After the checkpoints: what is written meanwhile is told now, and once more by the next look.
    const tagsOf = async (model: ReadModel, index: number): Promise<ReadonlySet<string>> =>
      isForeign(model, index) ? tagsWrittenTo(model, known[index]!) : new Set<string>();
    const written = now === models ? await Promise.all(read.map(tagsOf)) : [[everythingTag]];
    const tags = new Set(written.flatMap((each) => [...each]));
    if (tags.size > 0) onForeignWrite(tags);
    models = now;
    known = positions;
    lookedMs = begunMs;
  }

  const look = (): Promise<void> => {
    looking ??= lookOnce().finally(() => {
      looking = null;
    });
    return looking;
  };

  const isOwn: ForeignWrites['isOwn'] = (reads, position) =>
    models !== null &&
    reads.every((projection) => {
      if (!isSeen(projection.name)) return true;
      const { name, generation } = models!.of(projection).declaration;
      // What a look has found is forgotten since.
      return Math.max(known[projections.indexOf(projection)] ?? -1, ownPosition(name, generation)) >= position;
    });

  return {
    isKnown: (nowMs) => {
      const ageMs = nowMs - lookedMs;
      if (ageMs >= 0 && ageMs < lookAgainMs) return true;
      look().catch(() => undefined); // whoever has to read is told why it cannot
      return ageMs >= 0 && ageMs < lookGoodMs;
    },
    look,
    isOwn,
    findOut: async (reads, position) => {
      try {
        await look();
        if (!isOwn(reads, position)) await look(); // the first one may have been begun before
        return isOwn(reads, position);
      } catch {
        return false; // whoever has to read is told why it cannot
      }
    },
  };
}
