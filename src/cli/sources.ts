import { orgProjection } from '../../projections/org/org.ts';
import { sourceProjection, type SourceDocument } from '../../projections/source/source.ts';
import { systemClock } from '../adapters/system/clock.ts';
import type { FetchStanding } from '../records/fetching/fetch-outcomes.ts';
import { openFetchOutcomes } from '../records/fetching/fetch-outcomes.ts';
import { StartupError } from '../kernel/startup-error.ts';
import { createLiveReadModels } from '../runtime/projector/live-read-models.ts';
import type { RunCommand } from './cli-command.ts';
import { tableOf } from './table.ts';
import { withStores } from './with-stores.ts';

const sourcesPerPage = 500;
/** Nobody reads more of them; those that are well come last. */
const shownMax = 1_000;
const hourMs = 3_600_000;

type Health = 'failing' | 'overdue' | 'waiting' | 'healthy' | 'paused';

interface SourceRow {
  readonly id: string;
  readonly name: string;
  readonly health: Health;
  readonly priority: string;
  readonly consecutiveErrors: number;
  readonly lastFetchedAt: string | null;
  readonly nextFetchAfter: string | null;
  readonly lastError: string | null;
}

function healthOf({ state }: FetchStanding, nowMs: number): Health {
  if (state.consecutiveErrors > 0) return 'failing';
  if (state.nextFetchAfter === null) return 'paused';
  if (nowMs - Date.parse(state.nextFetchAfter) > hourMs) return 'overdue';
  return state.lastPolledAt === null ? 'waiting' : 'healthy';
}

const worstFirst: readonly Health[] = ['failing', 'overdue', 'waiting', 'healthy', 'paused'];

const compareRows = (a: SourceRow, b: SourceRow): number =>
  worstFirst.indexOf(a.health) - worstFirst.indexOf(b.health) ||
  b.consecutiveErrors - a.consecutiveErrors ||
  (a.nextFetchAfter ?? '').localeCompare(b.nextFetchAfter ?? '') ||
  a.name.localeCompare(b.name);

const timeOf = (at: string | null): string => at?.slice(0, 16).replace('T', ' ') ?? '-';

const cellsOf = (row: SourceRow): string[] => [
  row.name,
  row.health,
  row.priority,
  String(row.consecutiveErrors),
  timeOf(row.lastFetchedAt),
  timeOf(row.nextFetchAfter),
  row.lastError ?? '',
];

export const runSources: RunCommand = ({ config, json, print, note }) =>
  withStores(config, async ({ readModels, ops }) => {
    const nowMs = systemClock.nowMs();
    const projections = [sourceProjection, orgProjection];
    const models = await createLiveReadModels(readModels, projections, systemClock).current();
    if (models === null) throw new StartupError('The read models are not filled yet; start the service first.');
    const { standingOf } = await openFetchOutcomes(ops);

    const rowOf = async (source: SourceDocument): Promise<SourceRow> => {
      const { orgId } = source;
      const [org] = orgId === null ? [] : await models.of(orgProjection).get([orgId]);
      const standing = await standingOf(source.id);
      const { lastFetchedAt, nextFetchAfter, consecutiveErrors } = standing.state;
      return {
        id: source.id,
        name: org === undefined ? source.slug : `${org.slug}/${source.slug}`,
        health: healthOf(standing, nowMs),
        priority: source.fetchPriority,
        consecutiveErrors,
        lastFetchedAt,
        nextFetchAfter,
        lastError: standing.trouble.lastError,
      };
    };

    let worst: SourceRow[] = [];
    let count = 0;
    for (let after = ''; ; ) {
      const page = await models.of(sourceProjection).scan(after, sourcesPerPage);
      const rows = await Promise.all(page.filter(({ doc }) => doc.deletedAt === null).map(({ doc }) => rowOf(doc)));
      count += rows.length;
      worst = [...worst, ...rows].sort(compareRows).slice(0, shownMax);
      if (page.length < sourcesPerPage) break;
      after = page.at(-1)!.doc.id;
    }
    if (json) print(JSON.stringify({ items: worst, total: count }));
    else if (worst.length === 0) print('There are no sources.');
    else {
      const head = ['SOURCE', 'HEALTH', 'PRIORITY', 'ERRORS', 'LAST FETCH', 'NEXT FETCH', 'LAST ERROR'];
      print(tableOf(head, worst.map(cellsOf)));
      if (count > worst.length) note(`These are the first ${worst.length} of ${count}.\n`);
    }
    return 0;
  });
