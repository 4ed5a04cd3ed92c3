import Sqlite from 'better-sqlite3';

/** A table or an index of a file whose pages are damaged for all who read them, until they are mended. */
export function spoilPagesOf(
  file: string,
  name: string,
  // Where a table should begin there is an index, and the other way round.
  other = name.includes('(') ? 'state' : 'docs_release(model)',
): { readonly mend: () => void } {
  const db = new Sqlite(file);
  db.unsafeMode(); // else SQLite keeps its own tables from us
  const pageOf = db.prepare<[string], number>('SELECT rootpage FROM sqlite_schema WHERE name = ?').pluck();
  const beginAt = (page: number): void => {
    db.pragma('writable_schema = ON');
    db.prepare('UPDATE sqlite_schema SET rootpage = ? WHERE name = ?').run(page, name);
    // Tells those who have it open that they must look again.
    db.pragma(`schema_version = ${Number(db.pragma('schema_version', { simple: true })) + 1}`);
  };
  const whole = pageOf.get(name)!;
  beginAt(pageOf.get(other)!);
  return {
    mend: () => {
      beginAt(whole);
      db.close();
    },
  };
}
