import { pendingProjection } from '../../projections/pending/pending.ts';
import { dueUntilMs } from '../../src/domain/release/visible.ts';
import type { QueryDeps } from '../shape/query-deps.ts';

/** When the next release appears by itself, whatever its lane; null without one. */
export async function nextDueMs({ models }: Pick<QueryDeps, 'models'>, nowMs: number): Promise<number | null> {
  const ahead = { index: 'byDue', equals: {}, from: dueUntilMs(nowMs) + 1, limit: 1 };
  const [next] = await models.of(pendingProjection).query(ahead);
  return typeof next?.publishedMs === 'number' ? next.publishedMs - dueUntilMs(0) : null;
}
