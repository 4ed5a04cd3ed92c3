import { createHash } from 'node:crypto';
import { StartupError } from '../../kernel/startup-error.ts';
import { type SearchKind, searchKinds } from '../../ports/search-index.ts';

/** One generation as it was made once. Dropped and made again under its number it is another one. */
export interface Incarnation {
  readonly generation: number;
  readonly incarnation: string;
}

export interface IndexNames {
  readonly state: string;
  /** For humans: it follows the pointer, and nothing reads by it. */
  readonly alias: (kind: SearchKind) => string;
  readonly documents: (of: Incarnation, kind: SearchKind) => string;
  readonly allDocuments: (of: Incarnation) => string[];
}

export function createIndexNames(prefix: string): IndexNames {
  if (!/^[a-z0-9][a-z0-9_-]{0,99}$/.test(prefix)) {
    throw new StartupError(
      'The names of indexes begin with at most 100 small letters, digits, hyphens and underscores ' +
        '(OPENSEARCH_INDEX_PREFIX).',
    );
  }
  const documents: IndexNames['documents'] = ({ generation, incarnation }, kind) =>
    `${prefix}-${kind}-g${generation}-${incarnation}`;
  return {
    state: `${prefix}-state`,
    alias: (kind) => `${prefix}-${kind}`,
    documents,
    allDocuments: (of) => searchKinds.map((kind) => documents(of, kind)),
  };
}

/** What is written goes by this one: a server that makes indexes by itself makes no alias, so what is gone stays gone. */
export const writeAliasOf = (index: string): string => `${index}-writes`;

/** Each space has a field of its own, with as many dimensions as its vectors have. */
export const vectorsFieldOf = (space: string): string =>
  `near_${createHash('sha256').update(space).digest('hex').slice(0, 16)}`;
