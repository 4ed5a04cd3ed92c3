import type { Meaning } from '../../../ports/embedder.ts';

export interface EmbedJob {
  readonly id: number;
  readonly texts: readonly string[];
  readonly isQuery: boolean;
}

export type ToModelProcess =
  | ({ readonly kind: 'embed' } & EmbedJob)
  /** Nobody waits for it any more. */
  | { readonly kind: 'drop'; readonly id: number }
  | { readonly kind: 'close' };

export type FromModelProcess =
  | { readonly kind: 'serving' }
  /** The model cannot be loaded; `isLasting` when that will not change, because its runtime does not fit this machine. */
  | { readonly kind: 'failed'; readonly reason: string; readonly isLasting: boolean }
  | { readonly kind: 'answer'; readonly id: number; readonly meanings: readonly Meaning[] }
  | { readonly kind: 'refusal'; readonly id: number; readonly reason: string };
