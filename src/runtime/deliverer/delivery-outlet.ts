import type { DeliveryState } from '../../delivery/delivery-state.ts';
import { type DeliveryMessage, renderDeliveryMessage } from '../../delivery/message.ts';
import { deadLettersTopic, deliveriesTopic } from '../../delivery/topics.ts';
import type { Clock } from '../../ports/clock.ts';
import type { MessageBus } from '../../ports/message-bus.ts';
import type { DeliveryTopics } from './delivery-topics.ts';

/** Where messages about deliveries go. Their key is the webhook, so that one member has all of its messages. */
export interface DeliveryOutlet {
  /** To be handled now. */
  readonly deliver: (messages: readonly DeliveryMessage[]) => Promise<void>;
  /** To wait for its time on the topic that fits. */
  readonly enqueue: (message: DeliveryMessage) => Promise<void>;
  /** Tells of a delivery that has failed for good. The same document gives the same message. */
  readonly tellDeadLetter: (document: DeliveryState) => Promise<void>;
}

const busMessage = (message: DeliveryMessage) => ({
  key: message.webhookId,
  value: renderDeliveryMessage(message),
});

const deadLetterText = (document: DeliveryState): string => {
  const { eventId, webhookId, releaseId, run, attempt, notBeforeMs, outcome, errorCode, changedAtMs } = document;
  const place = { eventId, subscriptionId: webhookId, releaseId, run, attempt, notBefore: notBeforeMs };
  return JSON.stringify({ ...place, outcome, errorCode, failedAtMs: changedAtMs });
};

export const createDeliveryOutlet = ({
  bus,
  topics,
  clock,
}: {
  readonly bus: Pick<MessageBus, 'produce'>;
  readonly topics: DeliveryTopics;
  readonly clock: Clock;
}): DeliveryOutlet => ({
  deliver: (messages) => bus.produce(deliveriesTopic, messages.map(busMessage)),
  enqueue: (message) => bus.produce(topics.topicFor(message.notBefore - clock.nowMs()), [busMessage(message)]),
  tellDeadLetter: (document) =>
    bus.produce(deadLettersTopic, [{ key: document.webhookId, value: deadLetterText(document) }]),
});
