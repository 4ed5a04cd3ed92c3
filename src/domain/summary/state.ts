import type { Model } from '../../kernel/model.ts';
import type { SummaryWritten } from './events.ts';

export type SummaryState = SummaryWritten['data'] | null;

/** The last event says it all: what came before may be truncated. */
export const summary: Model<SummaryState, SummaryWritten> = {
  foldVersion: 1,
  initial: null,
  evolve: (state, event) => (event.type === 'SummaryWritten.v1' ? event.data : state),
};
