import type { Model } from '../../kernel/model.ts';
import type { OverviewFields, OverviewWritten } from './events.ts';

export type OverviewState = (OverviewFields & { readonly updatedAt: string }) | null;

export const overview: Model<OverviewState, OverviewWritten> = {
  foldVersion: 1,
  initial: null,
  evolve: (state, event) => (event.type === 'OverviewWritten.v1' ? event.data : state),
};
