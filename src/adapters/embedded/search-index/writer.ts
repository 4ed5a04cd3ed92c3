import type { Lease } from '../../../ports/leases.ts';
import {
  type SearchChange,
  type SearchKind,
  searchKinds,
  type SearchWrite,
  type SearchWriteOutcome,
} from '../../../ports/search-index.ts';
import { createSqliteLeases } from '../sqlite/leases.ts';
import type { Database } from '../sqlite/open-database.ts';
import { createState } from './file.ts';
import { createDocumentWriter, type DocumentWriter } from './document-writer.ts';
import { createNumberedNames } from './numbered-names.ts';
import { createScrub } from './scrub.ts';

/** Writes one generation, on the thread that calls it. */
export function createSearchWriter(db: Database) {
  const state = createState(db);
  const leases = createSqliteLeases(db);
  const names = createNumberedNames(db);
  const saveCheckpoint = db.prepare('UPDATE state SET checkpoint = ?');
  const saveChange = db.prepare('UPDATE state SET change = ?');
  const saveRemains = db.prepare(
    'INSERT INTO remains (kind, writes) VALUES (?, 1) ON CONFLICT (kind) DO UPDATE SET writes = writes + 1',
  );
  let change = 0;
  const nextChange = (): number => {
    change += 1;
    return change;
  };
  const writers = new Map<SearchKind, DocumentWriter>(
    searchKinds.map((kind) => [kind, createDocumentWriter({ db, kind, names, nextChange })]),
  );

  const apply = (one: SearchChange): void => {
    const documents = writers.get(one.index)!;
    if (one.kind === 'put') documents.put(one.doc, one.position);
    else if (one.kind === 'delete') documents.remove(one.id, one.position);
    else documents.putVectors(one);
  };

  const write = db.transaction(({ changes, position, lease }: SearchWrite): SearchWriteOutcome => {
    const before = state();
    if (!leases.isHeld(lease)) return 'stale_lease';
    if (position !== null && position <= before.checkpoint) return 'behind';
    change = before.change;
    for (const documents of writers.values()) documents.begin();
    for (const one of changes) apply(one);
    for (const [kind, documents] of writers) if (documents.writeWords()) saveRemains.run(kind);
    if (change !== before.change) saveChange.run(change);
    if (position !== null) saveCheckpoint.run(position);
    return 'written';
  });

  const acquire = db.transaction((...[name, holder, ttlMs, nowMs]: Parameters<typeof leases.acquire>) => {
    state();
    return leases.acquire(name, holder, ttlMs, nowMs);
  });
  const renew = db.transaction((...[lease, ttlMs, nowMs]: Parameters<typeof leases.renew>) => {
    state();
    return leases.renew(lease, ttlMs, nowMs);
  });
  const release = db.transaction(leases.release);
  const isLeased = db.transaction((name: string, nowMs: number) => {
    state();
    return leases.isTaken(name, nowMs);
  });
  const isDropped = db.prepare<[], number>('SELECT is_dropped FROM state').pluck();
  const markDropped = db.transaction(() => db.prepare('UPDATE state SET is_dropped = 1').run());

  return {
    write: (given: SearchWrite) => write.immediate(given),
    acquire: (name: string, holder: string, ttlMs: number, nowMs: number) =>
      acquire.immediate(name, holder, ttlMs, nowMs),
    renew: (lease: Lease, ttlMs: number, nowMs: number) => renew.immediate(lease, ttlMs, nowMs),
    release: (lease: Lease) => release.immediate(lease),
    isLeased: (name: string, nowMs: number) => isLeased(name, nowMs),
    scrub: createScrub(db),
    isDropped: () => isDropped.get() === 1,
    markDropped: () => void markDropped.immediate(),
    close: () => db.close(),
  };
}

export type SearchWriter = ReturnType<typeof createSearchWriter>;
