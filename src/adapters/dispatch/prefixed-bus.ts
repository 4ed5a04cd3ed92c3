import type { MessageBus, ReceivedMessage } from '../../ports/message-bus.ts';

/** The same bus with another beginning of every topic and group, so that several registries can share a cluster. */
export function prefixedBus(bus: MessageBus, prefix: string): MessageBus {
  if (prefix === '') return bus;
  const outside = (name: string): string => `${prefix}${name}`;
  const inside = (name: string): string => name.slice(prefix.length);
  const asProduced = (message: ReceivedMessage): ReceivedMessage => ({ ...message, topic: inside(message.topic) });
  return {
    ensureTopics: (topics) => bus.ensureTopics(topics.map((topic) => ({ ...topic, name: outside(topic.name) }))),
    topics: async () => (await bus.topics()).filter((name) => name.startsWith(prefix)).map(inside),
    produce: (topic, messages) => bus.produce(outside(topic), messages),
    consume: ({ group, topics, delaysMs, deadLetterTopic, handle, onDeadLetter, ...options }) =>
      bus.consume({
        ...options,
        group: outside(group),
        topics: topics.map(outside),
        ...(delaysMs && { delaysMs: new Map([...delaysMs].map(([topic, delayMs]) => [outside(topic), delayMs])) }),
        deadLetterTopic: outside(deadLetterTopic),
        handle: (message, lost) => handle(asProduced(message), lost),
        ...(onDeadLetter && { onDeadLetter: (message, error) => onDeadLetter(asProduced(message), error) }),
      }),
    progress: async (group, topics) => {
      const progress = await bus.progress(outside(group), topics.map(outside));
      return progress.map((partition) => ({ ...partition, topic: inside(partition.topic) }));
    },
    partitionsOf: (topic, keys) => bus.partitionsOf(outside(topic), keys),
    close: bus.close,
  };
}
