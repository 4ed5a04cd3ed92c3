import type { Database } from 'better-sqlite3';
import type { Lease } from '../../../ports/leases.ts';

/**
 * Epochs outlive their holders: a released lease keeps its row, so that the next holder gets a higher one. It keeps the
 * time at which it would have run out, which tells how long ago the last work under it was.
 */
export const leaseTableSql = `
  CREATE TABLE IF NOT EXISTS lease (
    name TEXT PRIMARY KEY,
    holder TEXT,
    epoch INTEGER NOT NULL,
    expires_at_ms INTEGER NOT NULL
  ) WITHOUT ROWID`;

interface LeaseRow {
  readonly holder: string | null;
  readonly epoch: number;
  readonly expires_at_ms: number;
}

/** Leases in the file whose writes they guard. Each call belongs inside a write transaction of the caller. */
export interface SqliteLeases {
  readonly acquire: (name: string, holder: string, ttlMs: number, nowMs: number) => Lease | null;
  /** One that ran out is still the holder's as long as nobody else took it. */
  readonly renew: (lease: Lease, ttlMs: number, nowMs: number) => boolean;
  readonly release: (lease: Lease) => void;
  readonly isHeld: (lease: Lease) => boolean;
  /** Whether anybody has it. */
  readonly isTaken: (name: string, nowMs: number) => boolean;
  /** When the last of all leases runs or ran out; null when there never was one. */
  readonly lastExpiryMs: () => number | null;
}

export const createSqliteLeases = (db: Database): SqliteLeases => {
  const find = db.prepare<[string], LeaseRow>('SELECT holder, epoch, expires_at_ms FROM lease WHERE name = ?');
  const save = db.prepare('INSERT OR REPLACE INTO lease (name, holder, epoch, expires_at_ms) VALUES (?, ?, ?, ?)');
  const free = db.prepare('UPDATE lease SET holder = NULL WHERE name = ?');
  const lastExpiry = db.prepare('SELECT MAX(expires_at_ms) FROM lease').pluck();

  const isHeld = ({ name, holder, epoch }: Lease): boolean => {
    const row = find.get(name);
    return row !== undefined && row.holder === holder && row.epoch === epoch;
  };

  const liveRow = (row: LeaseRow | undefined, nowMs: number): LeaseRow | null =>
    row !== undefined && row.holder !== null && row.expires_at_ms > nowMs ? row : null;

  return {
    acquire: (name, holder, ttlMs, nowMs) => {
      const row = find.get(name);
      const live = liveRow(row, nowMs);
      if (live !== null && live.holder !== holder) return null;
      const epoch = live?.epoch ?? (row?.epoch ?? 0) + 1;
      save.run(name, holder, epoch, nowMs + ttlMs);
      return { name, holder, epoch };
    },
    renew: (lease, ttlMs, nowMs) => {
      if (!isHeld(lease)) return false;
      save.run(lease.name, lease.holder, lease.epoch, nowMs + ttlMs);
      return true;
    },
    release: (lease) => {
      if (isHeld(lease)) free.run(lease.name);
    },
    isHeld,
    isTaken: (name, nowMs) => liveRow(find.get(name), nowMs) !== null,
    lastExpiryMs: () => lastExpiry.get() as number | null,
  };
};
