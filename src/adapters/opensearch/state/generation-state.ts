import type { Lease } from '../../../ports/leases.ts';
import { GenerationDropped } from '../../../ports/search-index.ts';
import type { StoredState } from './stored-state.ts';

export interface StoredLease {
  /** Null when it was released: the epoch stays, so that the next holder gets a higher one. */
  readonly holder: string | null;
  readonly epoch: number;
  readonly expiresAtMs: number;
}

/** A write that has begun: its documents may come until then. */
export interface BegunWrite {
  readonly id: string;
  readonly lease: string;
  readonly epoch: number;
  readonly untilMs: number;
}

/** What is known of one generation beside its documents, in one document, so that all of it changes together. */
export interface GenerationState {
  readonly checkpoint: number;
  readonly leases: Readonly<Record<string, StoredLease>>;
  readonly writes: readonly BegunWrite[];
  /** By lease, the write that was ended last: who did not hear that it was ended finds it here. */
  readonly ended: Readonly<Record<string, string>>;
}

export const newGenerationState: GenerationState = { checkpoint: 0, leases: {}, writes: [], ended: {} };

export const generationStateId = (incarnation: string): string => `generation ${incarnation}`;

export const isHeld = ({ leases }: GenerationState, { name, holder, epoch }: Lease): boolean =>
  leases[name]?.holder === holder && leases[name].epoch === epoch;

export interface GenerationStateStore {
  readonly read: () => Promise<GenerationState>;
  /** Null leaves it as it is; answers what is there then. */
  readonly change: (decide: (state: GenerationState) => GenerationState | null) => Promise<GenerationState>;
}

/** Throws GenerationDropped where there is none. */
export function createGenerationState(state: StoredState, incarnation: string): GenerationStateStore {
  const id = generationStateId(incarnation);
  const required = (found: GenerationState | null): GenerationState => {
    if (found === null) throw new GenerationDropped();
    return found;
  };
  return {
    read: async () => required(await state.read<GenerationState>(id)),
    change: async (decide) =>
      required(await state.change<GenerationState>(id, (found) => (found === null ? null : decide(found)))),
  };
}
