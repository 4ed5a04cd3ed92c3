import { StartupError } from '../../kernel/startup-error.ts';
import type { MessageBus, TopicDeclaration } from '../../ports/message-bus.ts';

// A bus has no place for a note on whose topics these are; the name of an empty topic is one. Its second part tells this
// bus from another one of the same registry.
const markPrefix = 'registry.identity.';

interface Mark {
  readonly registryId: string;
  readonly busId: string;
}

const markTopic = ({ registryId, busId }: Mark): TopicDeclaration => ({
  name: `${markPrefix}${registryId}.${busId}`,
  partitions: 1,
  retentionMs: 3_600_000,
});

async function marksOn(bus: MessageBus): Promise<Mark[]> {
  const names = (await bus.topics()).filter((name) => name.startsWith(markPrefix)).sort();
  return names.map((name) => {
    const [registryId = '', busId = ''] = name.slice(markPrefix.length).split('.');
    return { registryId, busId };
  });
}

/** The other registry that the topics belong to; null when they are free or this one's. */
export async function foreignOwner(bus: MessageBus, registryId: string | null): Promise<string | null> {
  return (await marksOn(bus)).find((mark) => mark.registryId !== registryId)?.registryId ?? null;
}

export interface OwnTopics {
  /** The same for every process on this bus, and another on every other bus. */
  readonly busId: string;
  /** A sentence for each topic that is other than declared. */
  readonly notices: readonly string[];
}

/** Makes the topics, unless they belong to another registry. */
export async function ensureOwnTopics(
  bus: MessageBus,
  topics: readonly TopicDeclaration[],
  { registryId, newBusId }: { readonly registryId: string; readonly newBusId: () => string },
): Promise<OwnTopics> {
  const owner = await foreignOwner(bus, registryId);
  if (owner !== null) {
    throw new StartupError(
      `The topics of the message bus belong to registry ${owner}, but the event store is registry ${registryId}. ` +
        'Set KAFKA_TOPIC_PREFIX to a name of its own for each registry that shares a cluster; if that registry is no ' +
        'more, delete its topics.',
    );
  }
  const [known] = await marksOn(bus);
  const mark = known ?? { registryId, busId: newBusId() };
  const notices = await bus.ensureTopics([...topics, markTopic(mark)]);
  // Two processes may have marked it at once; both then take the first.
  return { busId: (await marksOn(bus))[0]?.busId ?? mark.busId, notices };
}
