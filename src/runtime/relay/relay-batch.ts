import { type DeliveryMessage, renderDeliveryMessage } from '../../delivery/message.ts';
import { publishedTypes, registryEvent, registryEventMessage } from '../../delivery/registry-event.ts';
import { deliveriesTopic, registryEventsTopic } from '../../delivery/topics.ts';
import type { ReleaseAnnounced } from '../../domain/release/events.ts';
import { type RecordedEvent, seqOf } from '../../kernel/event.ts';
import type { BusMessage, MessageBus } from '../../ports/message-bus.ts';
import { produceInPieces } from './produce-in-pieces.ts';
import { isSubscriptionEvent, type RelaySubscriptions, subscriptionTypes } from './relay-subscriptions.ts';

const announcedType: ReleaseAnnounced['type'] = 'ReleaseAnnounced.v1';

/** The events that a relay reads. */
export const relayedTypes: readonly string[] = [...new Set([...publishedTypes, ...subscriptionTypes, announcedType])];

const isAnnouncement = (event: RecordedEvent): event is RecordedEvent<ReleaseAnnounced> => event.type === announcedType;

/** Of the last announcement among the events; null when there is none. */
export const lastAnnouncedAt = (events: readonly RecordedEvent[]): number | null =>
  events.findLast(isAnnouncement)?.position ?? null;

const deliveryMessageOf = (subscriptionId: string, event: RecordedEvent<ReleaseAnnounced>): BusMessage => {
  const message: DeliveryMessage = {
    eventId: event.data.eventId,
    subscriptionId,
    releaseId: event.data.release.id,
    run: 1,
    attempt: 1,
    notBefore: Date.parse(event.metadata.recordedAt),
  };
  return { key: subscriptionId, value: renderDeliveryMessage(message) };
};

/**
 * Folds the events into the subscriptions and produces what follows from each, strictly in their order: an announcement
 * meets the subscriptions as they were when it was recorded. Answers how many messages that were.
 */
export async function relayBatch(
  { bus, registryId }: { readonly bus: Pick<MessageBus, 'produce'>; readonly registryId: string },
  subscriptions: RelaySubscriptions,
  events: readonly RecordedEvent[],
): Promise<number> {
  const pieces = produceInPieces(bus);
  for (const event of events) {
    if (isSubscriptionEvent(event)) subscriptions.apply(event);
    const envelope = registryEvent(event, seqOf(event), { registryId });
    if (envelope !== null) await pieces.add(registryEventsTopic, registryEventMessage(envelope));
    if (!isAnnouncement(event)) continue;
    for (const { id } of subscriptions.matching(event.data.release, event.position)) {
      await pieces.add(deliveriesTopic, deliveryMessageOf(id, event));
    }
  }
  await pieces.finish();
  return pieces.count();
}
