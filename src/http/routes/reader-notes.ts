/** Of every feed that goes on by a cursor. */
export const shortPages =
  'A page that goes on by cursor may have fewer items than `limit`, as where its texts are megabytes long: there is more as long as `nextCursor` is not null.';

/** Of whatever takes `asOf`. */
export const pastOfToday =
  'With `asOf` the answer is what was recorded then, of that which may be seen today: what is hidden, deleted or taken down now shows in no past.';

/** How fetching went is no event, and only its last state is kept. */
export const pastFetches =
  'How sources were fetched is known of now alone: `lastFetchedAt`, `lastPolledAt` and the other fields about it are null or 0 in the past.';
