import { setImmediate } from 'node:timers/promises';

/** Rows, and reads, after which whatever else waits on this thread gets its turn. */
export const turnRows = 256;
/** The same for text: to load and parse so much takes some milliseconds. */
export const turnChars = 1024 * 1024;

/** Hands on what was read, when it has its turn. */
export type RowTurns = <Read>(read: Read, rows: number, chars?: number) => Promise<Read>;

/**
 * SQLite answers at once, so that who reads page after page would let nobody else have a turn. Counted over all reads: many
 * small ones hold up others like one that is large.
 */
export const createRowTurns = (): RowTurns => {
  let rowsOfTurn = 0;
  let charsOfTurn = 0;
  return async (read, rows, chars = 0) => {
    rowsOfTurn += rows + 1;
    charsOfTurn += chars;
    if (rowsOfTurn >= turnRows || charsOfTurn >= turnChars) {
      rowsOfTurn = 0;
      charsOfTurn = 0;
      await setImmediate();
    }
    return read;
  };
};
