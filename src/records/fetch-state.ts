/** How fetching a source goes. It is bookkeeping and no event: it comes from the operational store. */
export interface FetchState {
  readonly lastFetchedAt: string | null;
  readonly lastPolledAt: string | null;
  readonly changeDetectedAt: string | null;
  readonly consecutiveNoChange: number;
  readonly consecutiveErrors: number;
  readonly nextFetchAfter: string | null;
  readonly lastRetieredAt: string | null;
  readonly stars: number | null;
  readonly starsFetchedAt: string | null;
}

export const neverFetched: FetchState = {
  lastFetchedAt: null,
  lastPolledAt: null,
  changeDetectedAt: null,
  consecutiveNoChange: 0,
  consecutiveErrors: 0,
  nextFetchAfter: null,
  lastRetieredAt: null,
  stars: null,
  starsFetchedAt: null,
};

/** What is known of its failures beside their number; nobody but operators is shown it. */
export interface FetchTrouble {
  /** When the first of the failures in a row came. */
  readonly sinceMs: number | null;
  /** Answers in a row that say that what was asked for is not there. */
  readonly clientErrors: number;
  readonly lastError: string | null;
}

export const noTrouble: FetchTrouble = { sinceMs: null, clientErrors: 0, lastError: null };
