import { createKafkaMessageBus } from '../adapters/kafka/message-bus.ts';
import { systemClock } from '../adapters/system/clock.ts';
import { BackendUnavailable } from '../kernel/backend-unavailable.ts';
import { failure, type Finding, well } from '../kernel/finding.ts';
import { StartupError } from '../kernel/startup-error.ts';
import type { MessageBus } from '../ports/message-bus.ts';

const about = 'Kafka';

/** Whether some broker answers and lets this user see the topics. */
export async function examineKafka(brokers: string): Promise<Finding[]> {
  let bus: MessageBus | undefined;
  try {
    bus = await createKafkaMessageBus({ brokers, clock: systemClock });
    await bus.topics();
    return [well(about, `it answers at ${brokers} and lets this user list the topics`)];
  } catch (error) {
    if (error instanceof StartupError) return [failure(about, error.message, 'Correct KAFKA_BROKERS.')];
    const isAway = error instanceof BackendUnavailable;
    const reason = isAway && error.cause instanceof Error ? error.cause : (error as Error);
    const advice = isAway
      ? 'Start it, or correct KAFKA_BROKERS; its advertised listeners must be reachable from here.'
      : 'See that this user may describe, create, read and write the topics.';
    return [failure(about, `${brokers}: ${reason.message}`, advice)];
  } finally {
    await bus?.close();
  }
}
