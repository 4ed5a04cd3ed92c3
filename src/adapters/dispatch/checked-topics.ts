import type { TopicDeclaration } from '../../ports/message-bus.ts';

/** What every back end can have as a topic, or an error that says what cannot be one. */
export function checkedTopics(topics: readonly TopicDeclaration[]): readonly TopicDeclaration[] {
  for (const { name, partitions, retentionMs } of topics) {
    if (!/^[a-zA-Z0-9_-][a-zA-Z0-9._-]{0,248}$/.test(name)) throw new RangeError(`A topic cannot be called ${name}.`);
    for (const [what, value] of Object.entries({ partitions, retentionMs })) {
      if (!Number.isSafeInteger(value) || value < 1) {
        throw new RangeError(`The topic ${name} cannot have ${what} ${value}.`);
      }
    }
  }
  return topics;
}

export const unknownTopic = (topic: string): Error => new Error(`There is no topic ${topic}.`);
