import { globSync } from 'tinyglobby';
import Sqlite from 'better-sqlite3';

/** What time does a few seconds after a process was killed: nobody holds any more what it held. */
export function endLeases(dataDir: string): void {
  for (const file of globSync(['ops.sqlite', 'read/*.sqlite'], { cwd: dataDir, absolute: true })) {
    const db = new Sqlite(file);
    const holdsLeases = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'lease'").get() !== undefined;
    if (holdsLeases) db.exec('UPDATE lease SET expires_at_ms = 0');
    db.close();
  }
}
