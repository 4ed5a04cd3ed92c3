import { BackendUnavailable } from '../../kernel/backend-unavailable.ts';
import { StartupError } from '../../kernel/startup-error.ts';
import type { Clock } from '../../ports/clock.ts';
import type { MessageBus } from '../../ports/message-bus.ts';
import { createKafkaMessageBus } from './message-bus.ts';

export type KafkaProbe =
  | { readonly state: 'well' }
  | { readonly state: 'misnamed' | 'away' | 'refused'; readonly reason: string };

/** Whether some broker answers and lets this user see the topics. */
export async function probeKafka(brokers: string, clock: Clock): Promise<KafkaProbe> {
  let bus: MessageBus | undefined;
  try {
    bus = await createKafkaMessageBus({ brokers, clock });
    await bus.topics();
    return { state: 'well' };
  } catch (error) {
    if (error instanceof StartupError) return { state: 'misnamed', reason: error.message };
    if (!(error instanceof BackendUnavailable)) return { state: 'refused', reason: (error as Error).message };
    return { state: 'away', reason: error.cause instanceof Error ? error.cause.message : error.message };
  } finally {
    await bus?.close();
  }
}
