import type { Projection } from '../../kernel/projection.ts';
import { StartupError } from '../../kernel/startup-error.ts';
import { type FillDeps, fillGenerations } from './filling/fill-generations.ts';
import type { Verified } from './filling/verify-generations.ts';

/** Another process does or did the same; nothing is lost. */
export class RebuildOvertaken extends Error {
  constructor(sentence: string) {
    super(sentence);
    this.name = 'RebuildOvertaken';
  }
}

export interface Rebuilt {
  readonly generation: number;
  readonly verified: Verified;
}

/** Fills one read model anew and switches to it, once it is verified. */
export async function rebuildProjection(projection: Projection, deps: FillDeps): Promise<Rebuilt> {
  const [outcome] = await fillGenerations([projection], deps);
  if (outcome?.kind === 'live') return { generation: outcome.generation, verified: outcome.verified };
  if (outcome?.kind === 'differs') throw new StartupError(`${outcome.sentence}.`);
  if (outcome?.kind === 'overtaken') throw new RebuildOvertaken(outcome.sentence);
  throw outcome?.kind === 'failed' ? outcome.error : new Error(`${projection.name} was not rebuilt`);
}
