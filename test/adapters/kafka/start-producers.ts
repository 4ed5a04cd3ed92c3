import type { MessageBus } from '../../../src/ports/message-bus.ts';
import { newName, valuesOf } from '../../contract/message-bus/recorder.ts';

/** Produces for ever, several at once, and keeps what was acknowledged and what each failure was. */
export function startProducers(bus: MessageBus, topic: string, count: number) {
  const acknowledged: string[] = [];
  const failures: unknown[] = [];
  let isOver = false;
  const produce = async (name: string) => {
    for (let number = 0; !isOver; number += 1) {
      const messages = [0, 1, 2].map((part) => ({ key: `${name} ${part}`, value: `${name} ${number} ${part}` }));
      try {
        await bus.produce(topic, messages);
        acknowledged.push(...valuesOf(messages));
      } catch (error) {
        failures.push(error);
      }
    }
  };
  const producing = Promise.all(Array.from({ length: count }, (_, number) => produce(newName(`p${number}`))));
  const stop = async () => {
    isOver = true;
    await producing;
  };
  return { acknowledged, failures, stop };
}
