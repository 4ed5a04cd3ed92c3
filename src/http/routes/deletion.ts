import { z } from 'zod';
import type { Projection } from '../../kernel/projection.ts';
import { booleanParam } from '../request/query-params.ts';
import type { Answer } from '../route.ts';
import type { Services } from '../services.ts';

/** `hard` deletes for good: for admins only. */
export const deletionQuery = z.object({ hard: booleanParam() });

type DeletionQuery = z.output<typeof deletionQuery>;

export const hardOption = ({ query }: { readonly query: DeletionQuery }): string | undefined =>
  query.hard ? 'hard' : undefined;

interface Deleted {
  readonly state: { readonly deletedAt: string | null };
  readonly position: number;
}

/** When it is answered, nobody sees the entity any more. */
export async function answerDeleted(
  { hard }: DeletionQuery,
  { state, position }: Deleted,
  { services, reads }: { readonly services: Services; readonly reads: readonly Projection[] },
): Promise<Answer> {
  await services.viewAfter(reads, position);
  const body = hard ? { deleted: true, hard: true } : { deleted: true, deletedAt: state.deletedAt };
  return { status: 200, position, body };
}
