import type { Projection } from '../../kernel/projection.ts';

/**
 * A stored generation is `code generation × 1000 + build`: the code's number says which folds made it, the build tells
 * apart two fillings by the same folds, so that a rebuild has a place beside the live one.
 */
const buildsPerGeneration = 1_000;

export const codeGenerationOf = (stored: number): number => Math.floor(stored / buildsPerGeneration);

/** What has generations: a read model, or the search index. */
export type Generated = Pick<Projection, 'name' | 'generation'>;

export const firstBuild = (projection: Generated): number => projection.generation * buildsPerGeneration;

/** The next free number for a filling by the projection's present folds. */
export function nextBuild(projection: Generated, existing: readonly number[]): number {
  const own = existing.filter((stored) => codeGenerationOf(stored) === projection.generation);
  const next = own.length === 0 ? firstBuild(projection) : Math.max(...own) + 1;
  if (codeGenerationOf(next) !== projection.generation) {
    throw new Error(`${projection.name} was built ${buildsPerGeneration} times: raise its generation`);
  }
  return next;
}
