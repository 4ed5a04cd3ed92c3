import { deliveriesTopic } from '../../delivery/topics.ts';
import type { Clock } from '../../ports/clock.ts';
import type { ConsumeOptions } from '../../ports/message-bus.ts';
import type { DeliveryOutlet } from './delivery-outlet.ts';
import type { DeliveryTopics } from './delivery-topics.ts';
import { readMessage } from './read-message.ts';
import type { Waits } from './waits.ts';

/** Longer than that a message waits on a topic and not in memory. */
const waitMsMax = 60_000;

/** Hands the messages of the retry topics on when their time has come. */
export const createHandleRetry = (deps: {
  readonly clock: Clock;
  readonly topics: DeliveryTopics;
  readonly outlet: DeliveryOutlet;
  readonly waits: Waits;
}): ConsumeOptions['handle'] => {
  const { clock, topics, outlet, waits } = deps;
  return async (received, lost) => {
    const message = readMessage(received);
    const waitMs = message.notBefore - clock.nowMs();
    if (waitMs > waitMsMax && topics.topicFor(waitMs) !== deliveriesTopic) {
      await waits.reach(() => outlet.enqueue(message), lost);
      return;
    }
    await waits.until(message.notBefore, lost);
    await waits.reach(() => outlet.deliver([message]), lost);
  };
};
