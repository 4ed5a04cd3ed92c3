import { type DeliveryMessage, renderDeliveryMessage } from '../../delivery/message.ts';
import { publishedTypes, registryEvent, registryEventMessage } from '../../delivery/registry-event.ts';
import { deliveriesTopic, registryEventsTopic } from '../../delivery/topics.ts';
import type { ReleaseAnnounced } from '../../domain/release/events.ts';
import { announcedType, isAnnouncement } from '../../domain/release/is-announcement.ts';
import { type RecordedEvent, seqOf } from '../../kernel/event.ts';
import type { Clock } from '../../ports/clock.ts';
import type { BusMessage, MessageBus } from '../../ports/message-bus.ts';
import { produceInPieces } from './produce-in-pieces.ts';
import type { OpenedWebhooks } from './open-webhooks.ts';
import { isWebhookEvent, webhookTypes } from './relay-webhooks.ts';

/** The events that a relay reads. */
export const relayedTypes: readonly string[] = [...new Set([...publishedTypes, ...webhookTypes, announcedType])];

/** Of the last announcement among the events; null when there is none. */
export const lastAnnouncedAt = (events: readonly RecordedEvent[]): number | null =>
  events.findLast(isAnnouncement)?.position ?? null;

/** As much as a relay that is told to stop may still have to do, and as much as a crash repeats. */
const messagesPerStep = 5_000;

const deliveryMessageOf = (webhookId: string, event: RecordedEvent<ReleaseAnnounced>, nowMs: number): BusMessage => {
  const message: DeliveryMessage = {
    eventId: event.data.eventId,
    webhookId,
    releaseId: event.data.release.id,
    run: 1,
    attempt: 1,
    // A writer's clock may be ahead; a first attempt has nothing to wait for.
    notBefore: Math.min(Date.parse(event.metadata.recordedAt), nowMs),
  };
  return { key: webhookId, value: renderDeliveryMessage(message) };
};

export interface RelayStepDeps {
  readonly bus: Pick<MessageBus, 'produce'>;
  readonly clock: Clock;
  readonly registryId: string;
}

/**
 * Folds events into the webhooks and produces what follows from each, strictly in their order: an announcement
 * meets the webhooks as they were when it was recorded. Stops behind an event when that was enough for one step;
 * answers how many events it has taken and how many messages they made.
 */
export async function relayStep(
  { bus, clock, registryId }: RelayStepDeps,
  { webhooks, deliverSinceMs }: Pick<OpenedWebhooks, 'webhooks' | 'deliverSinceMs'>,
  events: readonly RecordedEvent[],
): Promise<{ readonly taken: number; readonly messages: number }> {
  const pieces = produceInPieces(bus);
  let taken = 0;
  for (const event of events) {
    if (isWebhookEvent(event)) webhooks.apply(event);
    const envelope = registryEvent(event, seqOf(event), { registryId });
    if (envelope !== null) await pieces.add(registryEventsTopic, registryEventMessage(envelope));
    if (isAnnouncement(event) && Date.parse(event.metadata.recordedAt) >= deliverSinceMs) {
      for (const { id } of webhooks.matching(event.data.release, event.position)) {
        await pieces.add(deliveriesTopic, deliveryMessageOf(id, event, clock.nowMs()));
      }
    }
    taken += 1;
    if (pieces.count() >= messagesPerStep) break;
  }
  await pieces.finish();
  return { taken, messages: pieces.count() };
}
