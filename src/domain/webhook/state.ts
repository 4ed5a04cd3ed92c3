import type { Model } from '../../kernel/model.ts';
import type { WebhookCreated, WebhookEvent } from './events.ts';

export type WebhookState =
  | { readonly status: 'absent' }
  | { readonly status: 'deleted' }
  | (WebhookCreated['data'] & {
      readonly status: 'active';
      /** Why it is not enabled; null when it is. */
      readonly disabledReason: 'manual' | 'auto' | 'gone' | null;
      readonly updatedAt: string;
    });

export const webhook: Model<WebhookState, WebhookEvent> = {
  foldVersion: 1,
  initial: { status: 'absent' },
  evolve: (state, event) => {
    switch (event.type) {
      case 'WebhookCreated.v1': {
        const { data } = event;
        return {
          ...data,
          status: 'active',
          disabledReason: data.enabled ? null : 'manual',
          updatedAt: data.createdAt,
        };
      }
      case 'WebhookDisabled.v1': {
        if (state.status !== 'active') return state;
        const { reason, disabledAt } = event.data;
        return { ...state, enabled: false, disabledReason: reason, updatedAt: disabledAt };
      }
      case 'WebhookDeleted.v1':
        return { status: 'deleted' };
      default:
        return state;
    }
  },
};
