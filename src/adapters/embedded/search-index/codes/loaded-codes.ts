import type { SearchFilter, SearchKind } from '../../../../ports/search-index.ts';
import type { Database } from '../../sqlite/open-database.ts';
import { createCodeSet, type CodeSet } from './code-set.ts';
import { createGrowingNumbers } from './growing-numbers.ts';
import { codeBytesOf } from './sign-codes.ts';
import type { SourceOrdinals } from '../source-ordinals.ts';
import { limitSql } from '../../sqlite/limit.ts';

interface CodesRow {
  readonly ordinal: number;
  readonly change: number;
  readonly space: number;
  readonly codes: Buffer;
  readonly source: number | null;
  readonly published_ms: number | null;
  readonly is_coverage: number | null;
}

export interface Space {
  readonly ordinal: number;
  readonly name: string;
  readonly dimensions: number;
}

/** The codes of one kind in memory, and what a filter asks of their documents. */
export interface LoadedCodes {
  /** Takes in the next changes, at most so many. False when there are none left. */
  readonly follow: (limit: number) => boolean;
  /** How many changes of this kind were not taken in yet, at most so many. */
  readonly behind: (limit: number) => number;
  readonly setOf: (space: Space) => CodeSet | undefined;
  readonly mayTake: (filter: SearchFilter, except: ReadonlySet<number>) => (ordinal: number) => boolean;
  /** All documents that may be taken; null when they are more than so many. */
  readonly fewOf: (set: CodeSet, mayTake: (ordinal: number) => boolean, max: number) => ReadonlySet<number> | null;
  readonly bytes: () => number;
}

const noCodes = Buffer.alloc(0);

export function createLoadedCodes(db: Database, kind: SearchKind, sources: SourceOrdinals): LoadedCodes {
  const after = db.prepare<[number, number], CodesRow>(
    `SELECT ordinal, change, codes.space AS space, codes, source, published_ms, is_coverage
     FROM codes_${kind} codes LEFT JOIN docs_${kind} USING (ordinal) WHERE change > ? ORDER BY change ${limitSql}`,
  );
  const behind = db
    .prepare<[number, number], number>(
      `SELECT count(*) FROM (SELECT 1 FROM codes_${kind} WHERE change > ? ORDER BY change ${limitSql})`,
    )
    .pluck();
  const dimensionsOf = db.prepare<[number], number>('SELECT dimensions FROM spaces WHERE ordinal = ?').pluck();
  const sets = new Map<number, CodeSet>();
  const sourceOf = createGrowingNumbers((length) => new Int32Array(length));
  const publishedMsOf = createGrowingNumbers((length) => new Float64Array(length));
  const coverageOf = createGrowingNumbers((length) => new Uint8Array(length));
  let seen = 0;
  let end = 0; // one more than the highest ordinal

  const setOfSpace = (space: number): CodeSet => {
    const known = sets.get(space);
    if (known !== undefined) return known;
    const made = createCodeSet(codeBytesOf(dimensionsOf.get(space) as number));
    sets.set(space, made);
    return made;
  };

  const takeIn = ({ ordinal, space, codes, source, published_ms, is_coverage }: CodesRow): void => {
    for (const [other, set] of sets) if (other !== space || codes.length === 0) set.put(ordinal, noCodes);
    if (codes.length > 0) setOfSpace(space).put(ordinal, codes);
    end = Math.max(end, ordinal + 1);
    for (const numbers of [sourceOf, publishedMsOf, coverageOf]) numbers.reserve(ordinal + 1);
    sourceOf.values[ordinal] = source ?? 0;
    publishedMsOf.values[ordinal] = published_ms ?? Number.NaN;
    coverageOf.values[ordinal] = is_coverage ?? 0;
  };

  return {
    follow: (limit) => {
      const rows = after.all(seen, limit);
      for (const row of rows) takeIn(row);
      seen = rows.at(-1)?.change ?? seen;
      return rows.length === limit;
    },
    behind: (limit) => behind.get(seen, limit) as number,
    setOf: (space) => sets.get(space.ordinal),
    mayTake: (filter, except) => {
      const { isIn, ordinals } = sources.of(filter);
      const allowed = new Uint8Array(sources.end()).fill(isIn ? 0 : 1);
      for (const ordinal of ordinals) allowed[ordinal] = isIn ? 1 : 0;
      const { fromMs = Number.NEGATIVE_INFINITY, toMs = Number.POSITIVE_INFINITY, withCoverage } = filter;
      const keepsUndated = filter.keepsUndated ?? (filter.fromMs === undefined && filter.toMs === undefined);
      return (ordinal) => {
        if (allowed[sourceOf.values[ordinal]!] === 0) return false;
        if (!withCoverage && coverageOf.values[ordinal] === 1) return false;
        const publishedMs = publishedMsOf.values[ordinal]!;
        if (Number.isNaN(publishedMs) ? !keepsUndated : publishedMs < fromMs || publishedMs > toMs) return false;
        return !except.has(ordinal);
      };
    },
    fewOf: (set, mayTake, max) => {
      const few = new Set<number>();
      for (let ordinal = 0; ordinal < end; ordinal += 1) {
        if (!set.has(ordinal) || !mayTake(ordinal)) continue;
        if (few.size === max) return null;
        few.add(ordinal);
      }
      return few;
    },
    bytes: () =>
      [...sets.values()].reduce((sum, set) => sum + set.bytes(), 0) +
      sourceOf.values.byteLength +
      publishedMsOf.values.byteLength +
      coverageOf.values.byteLength,
  };
}
