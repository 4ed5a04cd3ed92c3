import type { SourceDocument } from '../../../projections/source/source.ts';
import { DomainError } from '../../kernel/errors.ts';
import { derivedId } from '../../kernel/ids.ts';
import { askedEveryMs, type FetchTurns } from '../../records/fetching/fetch-turns.ts';

interface AskServices {
  readonly fetchTurns: Pick<FetchTurns, 'ask'>;
  /** A source is due that was not a moment ago. */
  readonly wakeFetching: () => void;
}

interface FetchWish {
  readonly source: Pick<SourceDocument, 'id' | 'type'>;
  readonly force: boolean;
  readonly dryRun: boolean;
  /** The same again is the same job. */
  readonly commandId: string;
}

/** Has a source fetched as soon as a process can (contract 14.3). Answers the id of the job. */
export async function askForFetch(
  { fetchTurns, wakeFetching }: AskServices,
  { source, force, dryRun, commandId }: FetchWish,
): Promise<string> {
  if (source.type === 'agent') {
    const message = 'Sources of the type `agent` are not fetched: whoever fills them sends their releases.';
    throw new DomainError('validation_failed', { issues: [{ path: '', message }] });
  }
  const jobId = derivedId('fet', commandId);
  const asked = await fetchTurns.ask({ sourceId: source.id, jobId, force, dryRun });
  if (asked.kind === 'running') throw new DomainError('fetch_in_progress', { jobId: asked.jobId });
  if (asked.kind === 'too_soon') {
    const retryAfterSeconds = Math.ceil(asked.retryAfterMs / 1_000);
    const windowSeconds = askedEveryMs / 1_000;
    throw new DomainError('rate_limited', { policy: 'fetch', limit: 1, windowSeconds, retryAfterSeconds });
  }
  wakeFetching();
  return jobId;
}
