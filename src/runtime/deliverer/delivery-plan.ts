import type { DeliveryMessage } from '../../delivery/message.ts';
import type { WebhookState } from '../../domain/webhook/state.ts';
import { webhook } from '../../domain/webhook/state.ts';
import { foldEvents } from '../../kernel/model.ts';
import { streamOf } from '../../kernel/stream-name.ts';
import type { EventStore } from '../../ports/event-store.ts';
import { createBatchedCalls } from '../../concurrency/batched-calls.ts';
import type { SigningKeys } from '../../records/secrets/signing-keys.ts';
import type { Announcements } from './announcements.ts';
import type { AttemptToMake } from './make-attempt.ts';

/** What is to be done about an attempt that is due, as things are now. */
export type DeliveryPlan =
  | { readonly kind: 'send'; readonly attempt: AttemptToMake }
  | { readonly kind: 'skip'; readonly errorCode: 'disabled' | 'withdrawn' };

/** The stream of the release does not hold what is to be sent, or does not show it yet. */
export interface UnknownAnnouncement {
  readonly kind: 'unknown';
}

export interface DeliveryPlanDeps {
  readonly store: Pick<EventStore, 'readMany'>;
  readonly announcements: Announcements;
  readonly signingKeys: Pick<SigningKeys, 'get'>;
  readonly isWithdrawn: (releaseId: string) => Promise<boolean>;
}

const webhooksAtOnceMax = 256;

const skip = (errorCode: 'disabled' | 'withdrawn'): DeliveryPlan => ({ kind: 'skip', errorCode });

/** Throws when the signing key is missing or cannot be opened. */
export const createDeliveryPlan = ({ store, announcements, signingKeys, isWithdrawn }: DeliveryPlanDeps) => {
  /** As they are now. */
  const webhookOf = createBatchedCalls(async (ids: readonly string[]): Promise<WebhookState[]> => {
    const distinct = [...new Set(ids)];
    const slices = await store.readMany(distinct.map((id) => streamOf('webhook', id)));
    const states = new Map(distinct.map((id, index) => [id, foldEvents(webhook, slices[index]!.events)]));
    return ids.map((id) => states.get(id)!);
  }, webhooksAtOnceMax);

  return async (message: DeliveryMessage): Promise<DeliveryPlan | UnknownAnnouncement> => {
    const { eventId, webhookId, releaseId } = message;
    const [state, announcement, withdrawn] = await Promise.all([
      webhookOf(webhookId),
      announcements.get(releaseId, eventId),
      isWithdrawn(releaseId),
    ]);
    if (state.status !== 'active' || !state.enabled) return skip('disabled');
    if (announcement.kind === 'erased' || withdrawn) return skip('withdrawn');
    if (announcement.kind === 'unknown') return { kind: 'unknown' };
    const signingKey = await signingKeys.get(webhookId);
    if (signingKey === null) throw new Error(`webhook ${webhookId} has no signing key`);
    return { kind: 'send', attempt: { eventId, webhookId, url: state.url, signingKey, body: announcement.text } };
  };
};
