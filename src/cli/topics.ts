import { systemIds } from '../adapters/system/ids.ts';
import { readTopicsFile } from '../adapters/system/topics-file.ts';
import type { Config } from '../config/settings.ts';
import { retryDelays } from '../delivery/retry-delays.ts';
import { groupOf, retryHoldsMs, topicsFor } from '../delivery/topics.ts';
import { StartupError } from '../kernel/startup-error.ts';
import type { EventStore } from '../ports/event-store.ts';
import type { MessageBus, TopicDeclaration } from '../ports/message-bus.ts';
import { ensureOwnTopics } from '../runtime/relay/own-topics.ts';
import { readRegistryId } from '../runtime/copying/store-identity.ts';
import { type RunCommand, UsageError } from './cli-command.ts';
import { withStores } from './with-stores.ts';

/** The topics that the settings ask for. */
export const declaredTopics = (config: Config): TopicDeclaration[] =>
  topicsFor(readTopicsFile(), retryDelays(config.WEBHOOK_RETRY_DELAYS));

interface TopicRow {
  readonly name: string;
  readonly partitions: number;
  readonly retentionMs: number;
  /** How long the service lets a message lie before it consumes it. */
  readonly delayMs: number;
  readonly exists: boolean;
  /** Messages that its consumers have not finished; null where the service has no consumer. */
  readonly waiting: number | null;
}

async function topicRows(bus: MessageBus, config: Config): Promise<TopicRow[]> {
  const holdsMs = retryHoldsMs(retryDelays(config.WEBHOOK_RETRY_DELAYS));
  const existing = new Set(await bus.topics());
  const rows: TopicRow[] = [];
  for (const { name, partitions, retentionMs } of declaredTopics(config)) {
    const exists = existing.has(name);
    const group = groupOf(name);
    const progress = exists && group !== null ? await bus.progress(group, [name]) : null;
    const waiting = progress && progress.reduce((sum, partition) => sum + partition.waiting, 0);
    rows.push({ name, partitions, retentionMs, delayMs: holdsMs.get(name) ?? 0, exists, waiting });
  }
  return rows;
}

async function ensure(store: EventStore, bus: MessageBus, topics: readonly TopicDeclaration[]) {
  const registryId = await readRegistryId(store);
  if (registryId === null) throw new StartupError('There is no registry in the event store.');
  return (await ensureOwnTopics(bus, topics, { registryId, newBusId: systemIds.commandId })).notices;
}

const describeRow = ({ name, partitions, exists, waiting }: TopicRow): string => {
  const state = exists ? `${partitions} partitions declared` : 'is missing: registry topics ensure makes it';
  return `${name}: ${state}${waiting === null ? '' : `, ${waiting} waiting`}`;
};

export const runTopics: RunCommand = async ({ config, words, json, print, note }) => {
  if (words.length > 1 || (words[0] !== undefined && words[0] !== 'ensure')) {
    throw new UsageError('Say: topics, or topics ensure.');
  }
  return withStores(config, async ({ eventStore, openBus }) => {
    const bus = await openBus();
    const notices = words[0] === 'ensure' ? await ensure(eventStore, bus, declaredTopics(config)) : [];
    const rows = await topicRows(bus, config);
    if (json) print(JSON.stringify({ topics: rows, notices }));
    else print(rows.map(describeRow).join('\n'));
    if (!json) for (const notice of notices) note(`${notice}\n`);
    return 0;
  });
};
