import { deletionsProjection } from '../../projections/deletions/deletions.ts';
import { systemClock } from '../adapters/system/clock.ts';
import type { Stores } from '../compose/stores/stores.ts';
import { toTimestamp } from '../kernel/dates.ts';
import { openPurgeJobs } from '../records/purge-jobs.ts';
import { createLiveReadModels } from '../runtime/projector/live-read-models.ts';
import type { RunCommand } from './cli-command.ts';
import { withStores } from './with-stores.ts';

/** What waits, beside what is under way: a count of more would say no more. */
const waitingMax = 1_000;

interface PurgeRow {
  readonly kind: string;
  readonly id: string;
  readonly orgId: string | null;
  readonly state: string;
  readonly done: number;
  /** Null before it is counted. */
  readonly total: number | null;
  readonly since: string | null;
  readonly failures: number;
  readonly lastError: string | null;
}

/** Read models are the truth: a process may have been killed before it could save that a purge is done. */
async function findDeletions({ readModels }: Stores, ids: readonly string[]) {
  const models = await createLiveReadModels(readModels, [deletionsProjection], systemClock).current();
  if (models === null) return { due: [], completed: new Set<string>() };
  const deletions = models.of(deletionsProjection);
  const range = { index: 'byDue', equals: {}, from: 0, to: systemClock.nowMs(), limit: waitingMax };
  const known = await deletions.get(ids);
  const completed = new Set(known.filter(({ dueMs }) => dueMs === null).map(({ id }) => id));
  return { due: await deletions.query(range), completed };
}

export const runPurges: RunCommand = ({ config, json, print }) =>
  withStores(config, async (stores) => {
    const jobs = await (await openPurgeJobs(stores.ops)).list();
    const begun = new Set(jobs.map(({ id }) => id));
    const { due, completed } = await findDeletions(stores, [...begun]);
    const waiting = due.filter(({ id }) => !begun.has(id));
    const rows: PurgeRow[] = [
      ...jobs.map(({ kind, id, orgId, phase, done, total, sinceMs, failures, lastError }) => ({
        kind,
        id,
        orgId,
        state: completed.has(id) ? 'done' : phase,
        done,
        total: phase === 'counting' ? null : total,
        since: toTimestamp(sinceMs),
        failures,
        lastError,
      })),
      ...waiting.map(({ kind, subjectId, orgId }) => ({
        kind,
        id: subjectId,
        orgId,
        state: 'waiting',
        done: 0,
        total: null,
        since: null,
        failures: 0,
        lastError: null,
      })),
    ];
    if (json) print(JSON.stringify({ items: rows }));
    else if (rows.length === 0) print('Nothing is being deleted for good.');
    else for (const row of rows) print(describe(row));
    return 0;
  });

function describe({ kind, id, orgId, state, done, total, since, failures, lastError }: PurgeRow): string {
  const place = orgId === null ? '' : ` of ${orgId}`;
  const count = total === null ? '' : `  ${done} of ${total} streams`;
  const begun = since === null ? '' : `  since ${since}`;
  const isFailed = failures > 0;
  const trouble = lastError === null ? '' : `  ${isFailed ? `failed ${failures} times` : 'waits'}: ${lastError}`;
  return `${kind.padEnd(8)} ${id}${place}  ${state}${count}${begun}${trouble}`;
}
