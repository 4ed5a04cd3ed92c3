import type { FillApart } from '../../src/runtime/projector/filling/build-missing.ts';
import { type FillDeps, fillGenerations } from '../../src/runtime/projector/filling/fill-generations.ts';

/** Fills on the thread of the test, where the folds may be any. */
export const fillHere =
  (deps: Omit<FillDeps, 'signal' | 'givingWayTo'>): FillApart =>
  ({ missing, ...rest }) =>
    fillGenerations(missing, { ...deps, ...rest });
