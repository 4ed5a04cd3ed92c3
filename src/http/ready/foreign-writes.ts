import type { Projection } from '../../kernel/projection.ts';
import type { Clock } from '../../ports/clock.ts';
import type { ReadModelSet } from '../../ports/read-models.ts';

/** How old the last look may be before another one is begun. */
const lookAgainMs = 400;
/** What others write is seen within a second: with an older look nothing is answered from memory. */
const lookGoodMs = 900;

export interface ForeignWrites {
  /** False when it is not known what others have written. Begins a look when the last one gets old. */
  readonly isKnown: (nowMs: number) => boolean;
  /** Resolves when that is known; rejects when the read models are away. */
  readonly look: () => Promise<void>;
  /** Whether everything up to a position was told of by this process itself, or found by a look. */
  readonly isOwn: (reads: readonly Projection[], position: number) => boolean;
}

/**
 * The projector of this process tells what it writes as it writes. Another process may do it instead, or switch to what it
 * has rebuilt: so the checkpoints are looked at again and again while somebody asks.
 */
export function createForeignWrites(deps: {
  readonly live: { readonly current: () => Promise<ReadModelSet | null> };
  readonly projections: readonly Projection[];
  /** How far this process itself has brought a generation. */
  readonly ownPosition: (name: string, generation: number) => number;
  readonly onForeignWrite: () => void;
  readonly clock: Clock;
}): ForeignWrites {
  const { live, projections, ownPosition, onForeignWrite, clock } = deps;
  let lookedMs = Number.NEGATIVE_INFINITY;
  let looking: Promise<void> | null = null;
  let models: ReadModelSet | null = null;
  let known: readonly number[] = [];

  async function lookOnce(): Promise<void> {
    const begunMs = clock.nowMs();
    const now = await live.current();
    if (now === null) {
      models = null;
      onForeignWrite();
      return;
    }
    const read = projections.map((projection) => now.of(projection));
    const positions = await Promise.all(read.map((model) => model.checkpoint()));
    const isForeign = ({ declaration: { name, generation } }: (typeof read)[number], index: number): boolean =>
      positions[index]! > Math.max(known[index] ?? -1, ownPosition(name, generation));
    if (now !== models || read.some(isForeign)) onForeignWrite();
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

  return {
    isKnown: (nowMs) => {
      const ageMs = nowMs - lookedMs;
      if (ageMs >= 0 && ageMs < lookAgainMs) return true;
      look().catch(() => undefined); // whoever has to read is told why it cannot
      return ageMs >= 0 && ageMs < lookGoodMs;
    },
    look,
    isOwn: (reads, position) =>
      models !== null &&
      reads.every((projection) => {
        const { name, generation } = models!.of(projection).declaration;
        // What a look has found is forgotten since.
        return Math.max(known[projections.indexOf(projection)] ?? -1, ownPosition(name, generation)) >= position;
      }),
  };
}
