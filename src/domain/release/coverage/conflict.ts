import { DomainError } from '../../../kernel/errors.ts';
import { quoted } from '../../../kernel/error-sentences.ts';

const sentences = {
  'coverage-side': (id: string) => `${quoted(id)} covers another release itself, so nothing can be linked to it.`,
  canonical: (id: string) => `Other releases are linked to ${quoted(id)}, so it cannot cover another one.`,
  'linked-elsewhere': (id: string) => `${quoted(id)} covers another release already; unlink it first.`,
} as const;

export type CoverageConflict = keyof typeof sentences;

/** A link that would be a second one, or deeper than one (contract 2.11). */
export const coverageConflict = (why: CoverageConflict, releaseId: string): DomainError =>
  new DomainError('conflict', { field: 'coverage', value: releaseId }, sentences[why](releaseId));
