import { DomainError } from '../kernel/errors.ts';

/** Where servers hold all else, the index of one process is not that of another. */
export const missingIndexAdvice =
  'Set OPENSEARCH_URL for every process, or DATA_DIR to a folder that is shared with a process that projects.';

const sentence = `There is no search index here: this process does not make one, and none is in its data folder. ${missingIndexAdvice}`;

/** Nothing can be said of what a search would find. */
export const missingIndex = (): DomainError =>
  new DomainError(
    'service_unavailable',
    { missing: 'search index', settings: ['OPENSEARCH_URL', 'DATA_DIR'] },
    sentence,
  );
