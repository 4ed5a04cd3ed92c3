import { Difference } from '../compare/comparison.ts';

const mannerOf = (error: unknown): string => {
  if (error instanceof Difference) return 'readers see what did not happen';
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
};

/**
 * Whether a shrunk history fails as the whole one did. Which difference comes first may change with the steps that are left
 * out; a history that cannot run without them has shown nothing.
 */
export const failsAlike = (first: unknown, shrunk: unknown): boolean => mannerOf(first) === mannerOf(shrunk);
