import type { Model } from '../../kernel/model.ts';
import type { NameEvent } from './events.ts';

export interface NameState {
  readonly owner: string | null;
  readonly claimedAt: string | null;
}

export const name: Model<NameState, NameEvent> = {
  foldVersion: 1,
  initial: { owner: null, claimedAt: null },
  evolve: (state, event, { recordedAt }) => {
    switch (event.type) {
      case 'NameClaimed.v1':
        return { owner: event.data.owner, claimedAt: recordedAt };
      case 'NameReleased.v1':
        // A release by an owner that lost the claim meanwhile changes nothing.
        return state.owner === event.data.owner ? { owner: null, claimedAt: null } : state;
      default:
        return state;
    }
  },
};
