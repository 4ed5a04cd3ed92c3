import type { Projection } from '../../../kernel/projection.ts';
import type { EventStore } from '../../../ports/event-store.ts';
import type { LivePace } from '../live-pace.ts';
import type { ProjectionTarget } from '../projection-target.ts';
import { type Verified, verifyGenerations } from './verify-generations.ts';

interface VerifiableFilling {
  readonly projection: Projection;
  readonly target: ProjectionTarget;
}

export interface VerifyFillingsDeps<Filling extends VerifiableFilling> {
  readonly store: Pick<EventStore, 'head' | 'readAll'>;
  readonly pace: LivePace;
  /** Those that are to be verified; who drops out is no longer one of them. */
  readonly switchable: () => readonly Filling[];
  readonly catchUp: () => Promise<void>;
  readonly onProgress: (progress: { readonly position: number; readonly target: number }) => void;
  readonly onFailure: (filling: Filling, error: Error) => void;
  readonly onDifference: (filling: Filling, sentence: string) => void;
}

interface Doubtful<Filling> {
  readonly filling: Filling;
  readonly result: Verified;
  /** What it had seen when it was compared. */
  readonly position: number;
}

/** While a generation is verified an erasure may take events from the log that it has seen. */
const roundsMax = 3;

const changedAtOnce = 500;

const namedMax = 3;

/** Those of the documents that nothing has touched since. */
async function untouchedSince(
  { model }: ProjectionTarget,
  position: number,
  ids: readonly string[],
): Promise<readonly string[]> {
  const untouched = new Set(ids);
  let after = { position, id: '' };
  for (;;) {
    const changed = await model.changedAfter(after, changedAtOnce);
    for (const { id } of changed) untouched.delete(id);
    const last = changed.at(-1);
    if (last === undefined || untouched.size === 0) return [...untouched];
    after = { position: last.position, id: last.id };
  }
}

const differenceOf = ({ projection, target }: VerifiableFilling, { compared, differing }: Verified): string =>
  `Generation ${target.generation} of ${projection.name} is not what the events say, and nothing was switched: ` +
  `${differing.length} differ where ${compared} documents were compared, first ${differing.slice(0, namedMax).join(', ')}`;

/** Each is verified or drops out. Afterwards they have caught up with what came meanwhile. */
export async function verifyFillings<Filling extends VerifiableFilling>(
  deps: VerifyFillingsDeps<Filling>,
  over: AbortSignal,
): Promise<Map<Filling, Verified>> {
  const { store, pace, switchable, catchUp, onProgress, onFailure, onDifference } = deps;
  const verified = new Map<Filling, Verified>();

  /** Answers those that differ, but where an erasure may be the reason. */
  async function verifyOnce(fillings: readonly Filling[]): Promise<Doubtful<Filling>[]> {
    const filled = fillings.map(({ projection, target: { model, checkpoint } }) => ({
      projection,
      model,
      position: checkpoint(),
    }));
    const end = Math.max(...filled.map(({ position }) => position));
    const results = await verifyGenerations(filled, {
      store,
      pace,
      over,
      onProgress: (position) => onProgress({ position, target: end }),
    });
    const head = await store.head();
    const doubtful: Doubtful<Filling>[] = [];
    for (const filling of fillings) {
      const result = results.get(filling.projection.name)!;
      const position = filling.target.checkpoint();
      if (result instanceof Error) onFailure(filling, result);
      else if (result.differing.length === 0) verified.set(filling, result);
      // An erasure is an event before it takes others away: without a newer event the difference is real.
      else if (position >= head) onDifference(filling, differenceOf(filling, result));
      else doubtful.push({ filling, result, position });
    }
    return doubtful;
  }

  /** An erasure takes away what it has taken from the log: once it is seen, none of its documents is as it was. */
  async function settle({ filling, result, position }: Doubtful<Filling>, isLastRound: boolean): Promise<void> {
    const differing = await untouchedSince(filling.target, position, result.differing);
    if (differing.length === 0) verified.set(filling, { ...result, differing });
    else if (isLastRound) onDifference(filling, differenceOf(filling, { ...result, differing }));
  }

  for (let round = 1; ; round += 1) {
    const unverified = switchable().filter((filling) => !verified.has(filling));
    if (unverified.length === 0) return verified;
    const doubtful = await verifyOnce(unverified);
    await catchUp();
    const still = doubtful.filter(({ filling }) => switchable().includes(filling));
    for (const each of still) await settle(each, round === roundsMax);
  }
}
