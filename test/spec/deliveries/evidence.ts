import type { DeliveryState } from '../../../src/delivery/delivery-state.ts';
import { retryDelays } from '../../../src/delivery/retry-delays.ts';
import {
  deadLettersTopic,
  delivererGroup,
  deliveriesTopic,
  retryGroup,
  retryTopicOf,
} from '../../../src/delivery/topics.ts';
import type { ReleaseAnnounced } from '../../../src/domain/release/events.ts';
import { openStores } from '../../../src/compose/stores/open-stores.ts';
import type { Stores } from '../../../src/compose/stores/stores.ts';
import type { Document } from '../../../src/kernel/projection.ts';
import type { MessageBus } from '../../../src/ports/message-bus.ts';
import type { OperationalCollection } from '../../../src/ports/operational-store.ts';
import { openDeliveryCollections } from '../../../src/records/delivery/delivery-collections.ts';
import { deliveriesDeclaration } from '../../../src/records/delivery/delivery-documents.ts';
import type { DeliveryLogRow } from '../../../src/records/delivery/delivery-log.ts';
import { eventually } from '../eventually.ts';
import { type DeliveriesStage, retryDelayNames } from './deliveries-stage.ts';

/** What the stores and the bus say of all deliveries. */
export interface Evidence {
  readonly announcements: readonly ReleaseAnnounced['data'][];
  readonly states: readonly DeliveryState[];
  readonly rows: readonly DeliveryLogRow[];
  /** As they lie on their topic. */
  readonly deadLetters: readonly string[];
}

const pageSize = 1_000;
const patience = { withinMs: 120_000, everyMs: 200 };

async function everyDocument<Doc extends Document>(collection: OperationalCollection<Doc>): Promise<Doc[]> {
  const found: Doc[] = [];
  for (;;) {
    const page = await collection.scan(found.at(-1)?.id ?? '', pageSize);
    found.push(...page.map(({ doc }) => doc));
    if (page.length < pageSize) return found;
  }
}

async function everyAnnouncement({ eventStore }: Stores): Promise<ReleaseAnnounced['data'][]> {
  const types: ReleaseAnnounced['type'][] = ['ReleaseAnnounced.v1'];
  const { events } = await eventStore.readAll({ afterPosition: 0, limit: 10_000, types });
  return events.map(({ data }) => data as ReleaseAnnounced['data']);
}

const waitingFor = async (bus: MessageBus, group: string, topics: readonly string[]): Promise<number> =>
  (await bus.progress(group, topics)).reduce((sum, { waiting }) => sum + waiting, 0);

async function everyDeadLetter(bus: MessageBus): Promise<string[]> {
  const found: string[] = [];
  const group = 'evidence';
  const reader = bus.consume({
    group,
    topics: [deadLettersTopic],
    concurrency: 1,
    handle: async ({ value }) => void found.push(value),
    deadLetterTopic: deadLettersTopic,
  });
  const isRead = async () => (await waitingFor(bus, group, [deadLettersTopic])) === 0;
  await eventually('all dead letters are read', isRead, patience);
  await reader.close();
  return found;
}

/** Waits until all is delivered or given up and no message is left, ends both processes, and gathers what they left. */
export async function gatherEvidence({ front, back, backends }: DeliveriesStage, pairs: number): Promise<Evidence> {
  const onFatal = (error: Error) => {
    throw error;
  };
  const stores = await openStores({ backends, onFatal });
  const { ops } = stores;
  const bus = await stores.openBus();
  try {
    const { deliveries, rows } = await openDeliveryCollections(ops);
    const stored = await ops.collection<Document>(deliveriesDeclaration);
    const everyState = async () => {
      const ids = (await everyDocument(stored)).map(({ id }) => id);
      return (await deliveries.getMany(ids)).map(({ doc }) => doc);
    };
    const retryTopics = retryDelays(retryDelayNames).map(retryTopicOf);
    const isFinal = async () => {
      const states = await everyState();
      return states.length >= pairs && states.every(({ phase }) => phase === 'final');
    };
    const isQuiet = async () =>
      (await waitingFor(bus, delivererGroup, [deliveriesTopic])) === 0 &&
      (await waitingFor(bus, retryGroup, retryTopics)) === 0;
    await eventually('every delivery has ended', isFinal, patience);
    await eventually('no message is left', isQuiet, patience);
    for (const { stop } of [back, front]) {
      const code = await stop();
      if (code !== 0) throw new Error(`a process that was asked to stop ended with ${code}`);
    }
    return {
      announcements: await everyAnnouncement(stores),
      states: await everyState(),
      rows: await everyDocument(rows),
      deadLetters: await everyDeadLetter(bus),
    };
  } finally {
    await stores.close();
  }
}
