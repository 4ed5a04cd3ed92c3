import type { Model } from '../../kernel/model.ts';
import type { SummaryEvent, SummaryWritten } from './events.ts';

export type SummaryState = SummaryWritten['data'] | null;

/** The last event says it all: what came before may be truncated. */
export const summary: Model<SummaryState, SummaryEvent> = {
  foldVersion: 1,
  initial: null,
  evolve: (state, event) => {
    switch (event.type) {
      case 'SummaryWritten.v1':
        return event.data;
      case 'SummaryRemoved.v1':
        return null;
      default:
        return state;
    }
  },
};
