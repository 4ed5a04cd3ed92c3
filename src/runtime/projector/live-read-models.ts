import { createStampedAnswer } from '../../concurrency/stamped-answer.ts';
import type { Projection, ReadModelDeclaration } from '../../kernel/projection.ts';
import type { Clock } from '../../ports/clock.ts';
import type { ReadModel, ReadModelSet, ReadModels } from '../../ports/read-models.ts';
import { codeGenerationOf } from './generations.ts';
import { createReadModelSet } from './read-model-set.ts';

export interface LiveReadModels {
  /**
   * All live generations: a request takes them once, so that no page mixes generations. Null while a read model that
   * these folds can read is still being filled. After a switch to other folds, those that were live until then.
   */
  readonly current: () => Promise<ReadModelSet | null>;
  /** True when all of these read models have seen that position; false when the time is over. */
  readonly waitFor: (reads: readonly Projection[], position: number, timeoutMs: number) => Promise<boolean>;
  /** Whether the projector of this process has told that it brought all of these there. */
  readonly isToldHere: (reads: readonly Projection[], position: number) => boolean;
  /** How far all of these read models are. */
  readonly lowestPosition: (reads: readonly Projection[]) => Promise<number>;
}

/** What the projector of this process has written. */
export interface ProjectedHere {
  /** Changes with every write. */
  readonly value: () => number;
  /** Changes when other generations may be live than before, or something was written that this process does not tell of. */
  readonly switches: () => number;
  /** How far it has brought a generation, also where another process has gone on since. */
  readonly position: (name: string, generation: number) => number;
}

export interface LiveReadModelsOptions {
  /**
   * How old the last look may be that found generations live which these folds can read; none is too young when absent.
   * Until then they are served on, because the newer process has yet to load what it answers from. Who sets it has
   * somebody look again and again (`startLiveLooks`).
   */
  readonly handOverMs?: number;
  /** Those who wait ask the stores when this has told enough, and seldom otherwise. */
  readonly projected?: ProjectedHere;
  /** Those that are read here; all when absent. All must be live, but each that is opened costs a start some milliseconds. */
  readonly opened?: readonly Projection[];
}

interface Pointers {
  readonly live: Readonly<Record<string, number>>;
  /** When they were asked for. */
  readonly askedMs: number;
}

interface Served {
  readonly key: string;
  readonly models: readonly ReadModel[];
  readonly set: ReadModelSet;
}

/** What this process switches is known at once; what another one does is asked for that often, if anybody wants to know. */
const pointersKeptMs = 50;
/** So much later it may be known. With the look of the ready answers (`foreign-writes.ts`) it stays within a second. */
const pointersLateMs = 100;

const firstWaitMs = 1;
const waitMsMax = 10;
/** Where the read models are fed here, each write is told: the stores are asked only in case that another process does by now. */
const toldLookMs = 100;
/** How often the stamp is looked at before those who wait take more time. */
const quickLooks = 20;

export function createLiveReadModels(
  readModels: ReadModels,
  projections: readonly Projection[],
  clock: Clock,
  { handOverMs = 0, projected, opened = projections }: LiveReadModelsOptions = {},
): LiveReadModels {
  const isOpened = new Set(opened.map(({ name }) => name));
  let served: Served | null = null;
  let servedLiveMs = 0;
  /** How far those who waited have found the generations of the last set. */
  let found: { readonly set: ReadModelSet; readonly checkpoints: Map<string, number> } | null = null;

  const askPointers = async (): Promise<Pointers> => {
    const askedMs = clock.nowMs();
    return { live: await readModels.pointers(), askedMs };
  };
  const kept = { keptMs: pointersKeptMs, lateMs: pointersLateMs };
  const pointersNow =
    projected === undefined
      ? askPointers
      : createStampedAnswer({ clock, stamp: projected.switches, ...kept }, askPointers).get;

  async function openAll({ live: pointers }: Pointers, key: string): Promise<Served | null> {
    const declarations: ReadModelDeclaration[] = [];
    for (const { name, generation, indexes } of projections) {
      const live = pointers[name];
      if (live === undefined || codeGenerationOf(live) !== generation) return null;
      if (isOpened.has(name)) declarations.push({ name, generation: live, indexes });
    }
    // Together: over a network, one after the other would be most of what a start takes.
    const models = await Promise.all(declarations.map((declaration) => readModels.open(declaration)));
    return { key, models, set: createReadModelSet(models) };
  }

  /** The ones that were live may be gone: a restart of the newer process ends their time. */
  async function areStillThere({ models }: Served, { live: pointers }: Pointers): Promise<boolean> {
    for (const { declaration } of models) {
      const { name, generation } = declaration;
      if (pointers[name] !== generation && !(await readModels.generations(name)).includes(generation)) return false;
    }
    return true;
  }

  async function current(): Promise<ReadModelSet | null> {
    const nowMs = clock.nowMs();
    const pointers = await pointersNow();
    const key = projections.map(({ name }) => pointers.live[name] ?? '-').join();
    const live = served?.key === key ? served : await openAll(pointers, key);
    if (live !== null) {
      served = live;
      servedLiveMs = pointers.askedMs;
      return live.set;
    }
    if (served === null || nowMs - servedLiveMs >= handOverMs) return null;
    return (await areStillThere(served, pointers)) ? served.set : null;
  }

  async function lowestPosition(reads: readonly Projection[]): Promise<number> {
    const set = await current();
    if (set === null) return 0;
    const checkpoints = await Promise.all(reads.map((projection) => set.of(projection).checkpoint()));
    return Math.min(Number.MAX_SAFE_INTEGER, ...checkpoints);
  }

  const hasSeenHere =
    (set: ReadModelSet, position: number) =>
    (projection: Projection): boolean => {
      const { name, generation } = set.of(projection).declaration;
      return projected !== undefined && projected.position(name, generation) >= position;
    };

  const isToldHere = (reads: readonly Projection[], position: number): boolean =>
    served !== null && reads.every(hasSeenHere(served.set, position));

  const noteFound = (set: ReadModelSet, projection: Projection, checkpoint: number): void => {
    if (found?.set !== set) found = { set, checkpoints: new Map() };
    found.checkpoints.set(projection.name, checkpoint);
  };

  /** Nobody else was found to have written since this process did: it will tell of the next write, too. */
  const areFedHere = (reads: readonly Projection[]): boolean =>
    found !== null &&
    found.set === served?.set &&
    reads.every((projection) => {
      const checkpoint = found!.checkpoints.get(projection.name);
      return checkpoint !== undefined && checkpoint > 0 && hasSeenHere(found!.set, checkpoint)(projection);
    });

  /** Those that have seen the position are not asked again: none goes back but by a switch, which begins anew. */
  function createLook(reads: readonly Projection[], position: number): () => Promise<boolean> {
    let set: ReadModelSet | null = null;
    let behind = reads;
    return async () => {
      const now = await current();
      if (now !== set) behind = reads;
      set = now;
      if (now === null) return position <= 0;
      const hasSeen = hasSeenHere(now, position);
      const asked = behind.filter((projection) => !hasSeen(projection));
      const checkpoints = await Promise.all(asked.map((projection) => now.of(projection).checkpoint()));
      for (const [index, projection] of asked.entries()) noteFound(now, projection, checkpoints[index]!);
      behind = asked.filter((_, index) => checkpoints[index]! < position);
      return behind.length === 0;
    };
  }

  async function waitFor(reads: readonly Projection[], position: number, timeoutMs: number): Promise<boolean> {
    const look = createLook(reads, position);
    const endMs = clock.nowMs() + timeoutMs;
    let waitMs = firstWaitMs;
    let waitedMs = 0; // the time is over, too, when it was waited for: a clock that was set back reaches the end late
    /** A write of this process is a reason to look when it may be the last one that is waited for. */
    const isReasonToLook = (): boolean => served === null || isToldHere(reads, position);
    /** A clock that was set back makes the last look neither young nor good. */
    const isFresh = (lookedMs: number): boolean => {
      const ageMs = clock.nowMs() - lookedMs;
      const goodMs = areFedHere(reads) ? toldLookMs : waitMsMax;
      return ageMs >= 0 && ageMs < goodMs;
    };
    // Whoever has just written knows that it is not projected yet.
    let mayWait = areFedHere(reads) && !isReasonToLook();
    for (let looks = 1; ; looks += 1) {
      const [stamped, lookedMs] = [projected?.value(), clock.nowMs()]; // before the look: what is written meanwhile is looked at again
      if (!mayWait && (await look())) return true;
      do {
        if (clock.nowMs() >= endMs || waitedMs >= timeoutMs) return (mayWait || waitedMs > 0) && look();
        await clock.sleep(waitMs);
        waitedMs += waitMs;
        if (projected === undefined || looks > quickLooks) waitMs = Math.min(waitMsMax, waitMs * 2);
        else looks += 1;
      } while (projected !== undefined && (projected.value() === stamped || !isReasonToLook()) && isFresh(lookedMs));
      mayWait = false;
    }
  }

  return { current, isToldHere, lowestPosition, waitFor };
}
