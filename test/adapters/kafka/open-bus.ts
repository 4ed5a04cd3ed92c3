import { createKafkaMessageBus, type KafkaMessageBusOptions } from '../../../src/adapters/kafka/message-bus.ts';
import { systemClock } from '../../../src/adapters/system/clock.ts';
import type { MessageBus } from '../../../src/ports/message-bus.ts';

/** Members come, die and are missed as soon as a broker allows. */
const sessionMs = 6_000;

export const openBus = (brokers: string, options: Partial<KafkaMessageBusOptions> = {}): Promise<MessageBus> =>
  createKafkaMessageBus({ brokers, clock: systemClock, clientId: 'contract-suite', sessionMs, ...options });
