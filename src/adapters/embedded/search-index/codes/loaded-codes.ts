import type { SearchFilter, SearchKind } from '../../../../ports/search-index.ts';
import type { Database } from '../../sqlite/open-database.ts';
import { type CodeParts, holdsAll } from './code-parts.ts';
import { createCodeSet, type CodeSet } from './code-set.ts';
import { createGrowingNumbers } from './growing-numbers.ts';
import { codeBytesOf } from './sign-codes.ts';
import type { SourceOrdinals } from '../source-ordinals.ts';
import { limitSql } from '../../sqlite/limit.ts';

/** A list: to make objects of rows takes as long as to take them in. */
type CodesRow = readonly [
  ordinal: number,
  change: number,
  space: number,
  codes: Buffer,
  source: number | null,
  publishedMs: number | null,
  isCoverage: number | null,
  isBare: number | null,
];

export interface Space {
  readonly ordinal: number;
  readonly name: string;
  readonly dimensions: number;
}

/** The codes of the documents of one part. */
export interface HeldCodes {
  readonly part: number;
  readonly set: CodeSet;
}

/** The codes of one kind in memory, and what a filter asks of their documents. */
export interface LoadedCodes {
  readonly parts: CodeParts;
  /** Takes in the next changes, at most so many. False when there are none left. */
  readonly follow: (limit: number) => boolean;
  /** How many changes of this kind were not taken in yet, at most so many. */
  readonly behind: (limit: number) => number;
  /** None where nothing is of that space. */
  readonly heldOf: (space: Space) => readonly HeldCodes[];
  readonly mayTake: (filter: SearchFilter, except: ReadonlySet<number>) => (ordinal: number) => boolean;
  /**
   * Tells all documents that may be taken; null when they are more than so many. Asked for more it goes on where it stopped, as
   * long as nothing is taken in.
   */
  readonly fewOf: (
    held: readonly HeldCodes[],
    mayTake: (ordinal: number) => boolean,
  ) => (max: number) => readonly number[] | null;
  readonly bytes: () => number;
}

const noCodes = Buffer.alloc(0);

export function createLoadedCodes(
  db: Database,
  kind: SearchKind,
  { sources, parts }: { readonly sources: SourceOrdinals; readonly parts: CodeParts },
): LoadedCodes {
  const isHeld = holdsAll(parts) ? '' : `AND ordinal % ${parts.count} IN (${parts.held.join()})`;
  const after = db
    .prepare<[number, number], CodesRow>(
      `SELECT ordinal, change, codes.space, codes, source, published_ms, is_coverage, is_bare
       FROM codes_${kind} codes LEFT JOIN docs_${kind} USING (ordinal) WHERE change > ? ${isHeld} ORDER BY change ${limitSql}`,
    )
    .raw();
  const behind = db
    .prepare<[number, number], number>(
      `SELECT count(*) FROM (SELECT 1 FROM codes_${kind} WHERE change > ? ${isHeld} ORDER BY change ${limitSql})`,
    )
    .pluck();
  const dimensionsOf = db.prepare<[number], number>('SELECT dimensions FROM spaces WHERE ordinal = ?').pluck();
  const held = new Map<number, readonly HeldCodes[]>(); // by space
  /** Four times its source; one more for coverage, two more for what says nothing. */
  const laneOf = createGrowingNumbers((length) => new Int32Array(length));
  const publishedMsOf = createGrowingNumbers((length) => new Float64Array(length));
  let seen = 0;
  let end = 0; // one more than the highest ordinal

  const heldOfSpace = (space: number): readonly HeldCodes[] => {
    const known = held.get(space);
    if (known !== undefined) return known;
    const codeBytes = codeBytesOf(dimensionsOf.get(space) as number);
    const made = parts.held.map((part) => ({ part, set: createCodeSet(codeBytes) }));
    held.set(space, made);
    return made;
  };

  const takeIn = ([ordinal, , space, codes, source, publishedMs, isCoverage, isBare]: CodesRow): void => {
    const setOf = (sets: readonly HeldCodes[]) => sets.find(({ part }) => part === ordinal % parts.count)!.set;
    for (const [other, sets] of held) if (other !== space || codes.length === 0) setOf(sets).put(ordinal, noCodes);
    if (codes.length > 0) setOf(heldOfSpace(space)).put(ordinal, codes);
    end = Math.max(end, ordinal + 1);
    for (const numbers of [laneOf, publishedMsOf]) numbers.reserve(ordinal + 1);
    laneOf.values[ordinal] = 4 * (source ?? 0) + 2 * (isBare ?? 0) + (isCoverage ?? 0);
    publishedMsOf.values[ordinal] = publishedMs ?? Number.NaN;
  };

  function* ordinalsOf(looked: readonly HeldCodes[], mayTake: (ordinal: number) => boolean): Generator<number, void> {
    for (const { part, set } of looked) {
      for (let ordinal = part; ordinal < end; ordinal += parts.count) {
        if (set.has(ordinal) && mayTake(ordinal)) yield ordinal;
      }
    }
  }

  return {
    parts,
    follow: (limit) => {
      const rows = after.all(seen, limit);
      for (const row of rows) takeIn(row);
      seen = rows.at(-1)?.[1] ?? seen;
      return rows.length === limit;
    },
    behind: (limit) => behind.get(seen, limit) as number,
    heldOf: (space) => held.get(space.ordinal) ?? [],
    mayTake: (filter, except) => {
      const { isIn, ordinals } = sources.of(filter);
      const { fromMs = Number.NEGATIVE_INFINITY, toMs = Number.POSITIVE_INFINITY, withCoverage } = filter;
      const sayingLanes = withCoverage ? 0b11 : 0b01;
      const wantedLanes = filter.withBare ? sayingLanes | (sayingLanes << 2) : sayingLanes;
      const allowed = new Uint8Array(sources.end()).fill(isIn ? 0 : wantedLanes);
      for (const ordinal of ordinals) allowed[ordinal] = isIn ? wantedLanes : 0;
      const keepsUndated = filter.keepsUndated ?? (filter.fromMs === undefined && filter.toMs === undefined);
      const isDated = !keepsUndated || fromMs > Number.NEGATIVE_INFINITY || toMs < Number.POSITIVE_INFINITY;
      const isWithin = (publishedMs: number): boolean =>
        Number.isNaN(publishedMs) ? keepsUndated : publishedMs >= fromMs && publishedMs <= toMs;
      // Asked of thousands of documents from all over, so that what is read costs, and not what is reckoned.
      return (ordinal) => {
        const lane = laneOf.values[ordinal]!;
        if ((allowed[lane >> 2]! & (1 << (lane & 0b11))) === 0) return false;
        if (isDated && !isWithin(publishedMsOf.values[ordinal]!)) return false;
        return except.size === 0 || !except.has(ordinal);
      };
    },
    fewOf: (looked, mayTake) => {
      const few: number[] = [];
      const others = ordinalsOf(looked, mayTake);
      return (max) => {
        while (few.length <= max) {
          const next = others.next();
          if (next.done === true) return few;
          few.push(next.value);
        }
        return null;
      };
    },
    bytes: () =>
      [...held.values()].flat().reduce((sum, { set }) => sum + set.bytes(), 0) +
      laneOf.values.byteLength +
      publishedMsOf.values.byteLength,
  };
}
