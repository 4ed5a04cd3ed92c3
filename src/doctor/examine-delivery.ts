import type { Stores } from '../compose/stores/stores.ts';
import { groupOf } from '../delivery/topics.ts';
import { failure, type Finding, warning, well } from '../ports/finding.ts';
import type { MessageBus, TopicDeclaration } from '../ports/message-bus.ts';
import { foreignOwner } from '../runtime/relay/own-topics.ts';
import { relayedTypes } from '../runtime/relay/relay-batch.ts';
import { relayPosition } from '../runtime/relay/relay-checkpoint.ts';
import { readRegistryId } from '../runtime/copying/store-identity.ts';

const topicsAbout = 'topics';

async function examineTopics(
  { eventStore, openBus }: Stores,
  declared: readonly TopicDeclaration[],
): Promise<Finding[]> {
  const bus = await openBus();
  const registryId = await readRegistryId(eventStore);
  const owner = await foreignOwner(bus, registryId);
  if (owner !== null) {
    const own = 'Set KAFKA_TOPIC_PREFIX to a name of its own for each registry that shares a cluster.';
    return [failure(topicsAbout, `they belong to registry ${owner}`, own)];
  }
  const existing = new Set(await bus.topics());
  const missing = declared.filter(({ name }) => !existing.has(name)).map(({ name }) => name);
  if (missing.length > 0) {
    const make = 'Run `registry topics ensure`; a start with the role relay or deliverer makes them too.';
    return [warning(topicsAbout, `missing: ${missing.join(', ')}`, make)];
  }
  return [well(topicsAbout, `all ${declared.length} are there`), ...(await examineWaiting(bus, declared))];
}

async function examineWaiting(bus: MessageBus, declared: readonly TopicDeclaration[]): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { name } of declared) {
    const group = groupOf(name);
    if (group === null) continue;
    const waiting = (await bus.progress(group, [name])).reduce((sum, partition) => sum + partition.waiting, 0);
    if (waiting > 0) findings.push(well(`topic ${name}`, `${waiting} messages wait`));
  }
  return findings;
}

async function examineRelay({ eventStore, ops }: Stores): Promise<Finding> {
  const position = await relayPosition(ops);
  const head = await eventStore.head();
  if (position > head) {
    const restore = 'The event store was replaced by an older copy: restore the newer one.';
    return failure('relay', `it has seen position ${position}, but the event store ends at ${head}`, restore);
  }
  const { events } = await eventStore.readAll({ afterPosition: position, limit: 1, types: relayedTypes });
  return events.length === 0
    ? well('relay', 'every event is on the bus')
    : well('relay', `it is at position ${position} of ${head}; a process with the role relay goes on from there`);
}

/** Whether events get out: the topics, and how far the relay is. */
export async function examineDelivery(stores: Stores, declared: readonly TopicDeclaration[]): Promise<Finding[]> {
  if ((await stores.eventStore.head()) === 0) return [];
  return [...(await examineTopics(stores, declared)), await examineRelay(stores)];
}
