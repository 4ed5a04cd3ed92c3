import { z } from 'zod';
import { invalidParameter } from '../../kernel/errors.ts';
import { booleanParam } from '../query-params.ts';

/** `hard` erases for good: for admins only, and not served yet. */
export const deletionQuery = z.object({ hard: booleanParam() });

type DeletionQuery = z.output<typeof deletionQuery>;

export const hardOption = ({ query }: { readonly query: DeletionQuery }): string | undefined =>
  query.hard ? 'hard' : undefined;

export function requireSoft({ hard }: DeletionQuery): void {
  if (hard) throw invalidParameter({ parameter: 'hard', reason: 'is not served yet', value: 'true' });
}
