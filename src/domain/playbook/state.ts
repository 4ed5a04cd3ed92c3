import type { Model } from '../../kernel/model.ts';
import type { PlaybookEvent } from './events.ts';

export type PlaybookState = { readonly content: string; readonly updatedAt: string } | null;

export const playbook: Model<PlaybookState, PlaybookEvent> = {
  foldVersion: 1,
  initial: null,
  evolve: (state, event) => {
    switch (event.type) {
      case 'PlaybookWritten.v1':
        return event.data;
      case 'PlaybookRemoved.v1':
        return null;
      default:
        return state;
    }
  },
};
