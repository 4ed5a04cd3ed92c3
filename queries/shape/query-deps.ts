import type { Catalogue } from '../../src/catalogue/catalogue.ts';
import type { Turns } from '../../src/concurrency/turns.ts';
import type { ReadModelSet } from '../../src/ports/read-models.ts';
import type { FetchState } from '../../src/records/fetch-state.ts';

/** What queries read; each names the parts that it needs. */
export interface QueryDeps {
  readonly models: ReadModelSet;
  readonly catalogue: Catalogue;
  /** Bookkeeping, not events: of each of these sources, in the same order, as the operational store has it now. */
  readonly fetchStates: (sourceIds: readonly string[]) => Promise<readonly FetchState[]>;
  /** When texts of these sources last got vectors; null when none of them has any. */
  readonly embeddedAt: (sourceIds: readonly string[]) => Promise<string | null>;
  /** Public address of the web pages, without a slash at its end. */
  readonly webBaseUrl: string;
}

export interface LongPageDeps {
  /** Of a process, for pages with many long texts: one at a time. */
  readonly longPageTurns: Turns;
}

/** Who asks, and when. */
export interface Asking {
  readonly nowMs: number;
  readonly admin: boolean;
}
