import type { Model } from '../../kernel/model.ts';
import type { TokenEvent, TokenIssued } from './events.ts';

export type TokenState =
  | { readonly status: 'absent' }
  | (TokenIssued['data'] & { readonly status: 'issued'; readonly revokedAt: string | null });

export const token: Model<TokenState, TokenEvent> = {
  foldVersion: 1,
  initial: { status: 'absent' },
  evolve: (state, event) => {
    if (event.type === 'TokenIssued.v1') return { ...event.data, status: 'issued', revokedAt: null };
    if (state.status !== 'issued') return state;
    switch (event.type) {
      case 'TokenChanged.v1':
        return { ...state, ...event.data.changed };
      case 'TokenRevoked.v1':
        return { ...state, revokedAt: event.data.revokedAt };
      default:
        return state;
    }
  },
};
