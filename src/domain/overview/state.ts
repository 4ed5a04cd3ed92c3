import type { Model } from '../../kernel/model.ts';
import type { OverviewEvent, StoredOverview } from './events.ts';

export type OverviewState = StoredOverview | null;

export const overview: Model<OverviewState, OverviewEvent> = {
  foldVersion: 2,
  initial: null,
  evolve: (state, event) => {
    switch (event.type) {
      case 'OverviewWritten.v1':
        return event.data;
      case 'OverviewRemoved.v1':
        return null;
      default:
        return state;
    }
  },
};
