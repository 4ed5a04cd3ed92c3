import type { Projection } from '../../kernel/projection.ts';
import { type FillDeps, fillGenerations } from './fill-generations.ts';

/** Another process does or did the same; nothing is lost. */
export class RebuildOvertaken extends Error {
  constructor(sentence: string) {
    super(sentence);
    this.name = 'RebuildOvertaken';
  }
}

/** Fills one read model anew and switches to it. Answers the new generation. */
export async function rebuildProjection(projection: Projection, deps: FillDeps): Promise<number> {
  const [outcome] = await fillGenerations([projection], deps);
  if (outcome?.kind === 'live') return outcome.generation;
  if (outcome?.kind === 'overtaken') throw new RebuildOvertaken(outcome.sentence);
  throw outcome?.kind === 'failed' ? outcome.error : new Error(`${projection.name} was not rebuilt`);
}
