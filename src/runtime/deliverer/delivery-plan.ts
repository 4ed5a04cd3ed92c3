import type { DeliveryMessage } from '../../delivery/message.ts';
import type { WebhookState } from '../../domain/webhook/state.ts';
import { webhook } from '../../domain/webhook/state.ts';
import { foldEvents } from '../../kernel/model.ts';
import { streamOf } from '../../kernel/stream-name.ts';
import type { EventStore } from '../../ports/event-store.ts';
import type { SigningKeys } from '../signing-keys.ts';
import type { Announcements } from './announcements.ts';
import type { AttemptToMake } from './make-attempt.ts';

/** What is to be done about an attempt that is due, as things are now. */
export type DeliveryPlan =
  | { readonly kind: 'send'; readonly attempt: AttemptToMake }
  | { readonly kind: 'skip'; readonly errorCode: 'disabled' | 'withdrawn' };

export interface DeliveryPlanDeps {
  readonly store: Pick<EventStore, 'read'>;
  readonly announcements: Announcements;
  readonly signingKeys: Pick<SigningKeys, 'get'>;
  readonly isWithdrawn: (releaseId: string) => Promise<boolean>;
}

const skip = (errorCode: 'disabled' | 'withdrawn'): DeliveryPlan => ({ kind: 'skip', errorCode });

/** Throws when something is missing that must be there. */
export const createDeliveryPlan = ({ store, announcements, signingKeys, isWithdrawn }: DeliveryPlanDeps) => {
  async function subscriptionOf(id: string): Promise<WebhookState> {
    const { events } = await store.read(streamOf('webhook', id));
    return foldEvents(webhook, events);
  }

  return async ({ eventId, subscriptionId, releaseId }: DeliveryMessage): Promise<DeliveryPlan> => {
    const subscription = await subscriptionOf(subscriptionId);
    if (subscription.status !== 'active' || !subscription.enabled) return skip('disabled');
    const [announcement, withdrawn] = await Promise.all([
      announcements.get(releaseId, eventId),
      isWithdrawn(releaseId),
    ]);
    if (announcement.kind === 'erased' || withdrawn) return skip('withdrawn');
    if (announcement.kind === 'unknown') throw new Error(`release ${releaseId} has no announcement ${eventId}`);
    const signingKey = await signingKeys.get(subscriptionId);
    if (signingKey === null) throw new Error(`subscription ${subscriptionId} has no signing key`);
    const { url } = subscription;
    return { kind: 'send', attempt: { eventId, subscriptionId, url, signingKey, body: announcement.text } };
  };
};
