import { setImmediate } from 'node:timers/promises';
import { emptyLog } from '../sqlite/empty-log.ts';
import type { Database } from '../sqlite/open-database.ts';
import { createState } from './file.ts';

/** Pages that are written in one transaction: a few milliseconds, between which others write. */
const stepPages = 200;

interface Remains {
  readonly kind: string;
  readonly writes: number;
}

/**
 * FTS5 only marks what is deleted; the words leave the file when the parts that hold them are merged. So all parts are merged
 * into one, of those kinds of which something was taken away, in steps; and then the log is emptied, which holds older versions of
 * the pages. FTS5 can also remove single rows at once, but only if it is told all of their words, and then each change of a
 * document takes six times as long (`ops/decisions/0031`).
 */
export function createScrub(db: Database): () => Promise<void> {
  const state = createState(db);
  const changes = db.prepare<[], number>('SELECT total_changes()').pluck();
  const remains = db.prepare<[], Remains>('SELECT kind, writes FROM remains ORDER BY kind');
  // What was taken away meanwhile may be in parts that were merged before.
  const forgetRemains = db.prepare('DELETE FROM remains WHERE kind = ? AND writes = ?');

  /** A negative number of pages begins to merge everything; a positive one goes on. False when nothing is left to do. */
  const merge = db.transaction((table: string, pages: number): boolean => {
    const before = changes.get() as number;
    db.prepare(`INSERT INTO ${table} (${table}, rank) VALUES ('merge', ?)`).run(pages);
    return (changes.get() as number) - before >= 2; // the command itself counts as one
  });

  const mergeAll = async (table: string): Promise<void> => {
    let goesOn = merge.immediate(table, -stepPages);
    while (goesOn) {
      await setImmediate();
      goesOn = merge.immediate(table, stepPages);
    }
  };

  return async () => {
    state();
    for (const { kind, writes } of remains.all()) {
      await mergeAll(`words_${kind}`);
      forgetRemains.run(kind, writes);
    }
    emptyLog(db);
  };
}
