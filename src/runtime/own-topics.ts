import { StartupError } from '../kernel/startup-error.ts';
import type { MessageBus, TopicDeclaration } from '../ports/message-bus.ts';

// A bus has no place for a note on whose topics these are; the name of an empty topic is one.
const markPrefix = 'registry.identity.';
const markOf = (registryId: string): TopicDeclaration => ({
  name: `${markPrefix}${registryId}`,
  partitions: 1,
  retentionMs: 3_600_000,
  delayMs: 0,
});

/** The other registry that the topics belong to; null when they are free or this one's. */
export async function foreignOwner(bus: MessageBus, registryId: string | null): Promise<string | null> {
  const marks = (await bus.topics()).filter((name) => name.startsWith(markPrefix));
  const owners = marks.map((name) => name.slice(markPrefix.length));
  return owners.find((owner) => owner !== registryId) ?? null;
}

/** Makes the topics, unless they belong to another registry; answers a sentence for each that is other than declared. */
export async function ensureOwnTopics(
  bus: MessageBus,
  topics: readonly TopicDeclaration[],
  registryId: string,
): Promise<string[]> {
  const owner = await foreignOwner(bus, registryId);
  if (owner !== null) {
    throw new StartupError(
      `The topics of the message bus belong to registry ${owner}, but the event store is registry ${registryId}. ` +
        'Set KAFKA_TOPIC_PREFIX to a name of its own for each registry that shares a cluster.',
    );
  }
  return bus.ensureTopics([...topics, markOf(registryId)]);
}
