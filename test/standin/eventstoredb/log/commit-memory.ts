import type { RecallCommit } from './commit-check.ts';
import { deletedRevision, type StoredEvent } from './stored-event.ts';

/** The server bounds this memory by bytes; small here, so that a test can see it forget. */
const idsMax = 5_000;

export interface CommitMemory {
  readonly recall: RecallCommit;
  readonly remember: (event: StoredEvent) => void;
}

/** Ids committed not long ago. By id alone: the same id in another stream takes the place of the first. */
export const createCommitMemory = (): CommitMemory => {
  const commits = new Map<string, { stream: string; revision: number }>();
  return {
    recall: (id) => commits.get(id),
    remember: ({ id, stream, revision }) => {
      if (revision === deletedRevision) return;
      commits.delete(id);
      commits.set(id, { stream, revision: Number(revision) });
      const oldest = commits.keys().next();
      if (commits.size > idsMax && oldest.value !== undefined) commits.delete(oldest.value);
    },
  };
};
