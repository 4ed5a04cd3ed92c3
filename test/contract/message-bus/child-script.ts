import type { MessageBus } from '../../../src/ports/message-bus.ts';

/** What a process of its own does for ever. It can be passed as JSON. */
export type ChildScript =
  | {
      readonly kind: 'consume';
      readonly group: string;
      readonly topic: string;
      readonly deadLetterTopic: string;
      readonly concurrency: number;
      /** The handler of this value never ends. */
      readonly hangsAt?: string;
    }
  | { readonly kind: 'produce'; readonly topic: string };

/** A consumer tells each value that it has finished; a producer each that was acknowledged; neither before. */
export async function runChildScript(
  bus: MessageBus,
  script: ChildScript,
  tell: (line: string) => void,
): Promise<void> {
  if (script.kind === 'consume') {
    const { topic, hangsAt, ...options } = script;
    const { done } = bus.consume({
      ...options,
      topics: [topic],
      handle: async ({ value }) => {
        if (value === hangsAt) await new Promise(() => {});
        tell(value);
      },
    });
    return done;
  }
  const lane = async (name: string): Promise<never> => {
    for (let round = 0; ; round += 1) {
      const messages = [0, 1, 2].map((index) => ({ key: `${name} ${index}`, value: `${name} ${round} ${index}` }));
      await bus.produce(script.topic, messages);
      for (const { value } of messages) tell(value);
    }
  };
  return Promise.race([lane('a'), lane('b'), lane('c')]);
}
