import type { Database } from './open-database.ts';

export const identityTableSql =
  'CREATE TABLE IF NOT EXISTS identity (only INTEGER PRIMARY KEY CHECK (only = 1), registry_id TEXT NOT NULL)';

/** Which event store a file belongs to. Once set it stays: a file of another store must never pass for ours. */
export const createStoredIdentity = (db: Database, owner: string) => {
  const find = db.prepare<[], string>('SELECT registry_id FROM identity').pluck();
  const insert = db.prepare('INSERT INTO identity (only, registry_id) VALUES (1, ?) ON CONFLICT DO NOTHING');
  const get = (): string | null => (find.get() as string | undefined) ?? null;
  const set = (registryId: string): void => {
    insert.run(registryId);
    const stored = get();
    if (stored !== registryId) throw new Error(`${owner} belong to the registry ${stored}, not to ${registryId}`);
  };
  return { get, set };
};
