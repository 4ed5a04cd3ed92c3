import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createEmbeddedMessageBus } from '../../../src/adapters/embedded/message-bus/message-bus.ts';
import { createEmbeddedOperationalStore } from '../../../src/adapters/embedded/operational-store/operational-store.ts';
import { startOpsWriter } from '../../../src/adapters/embedded/operational-store/writer-client.ts';
import { systemClock } from '../../../src/adapters/system/clock.ts';
import { parseDeliveryMessage } from '../../../src/delivery/message.ts';
import { deliveriesTopic } from '../../../src/delivery/topics.ts';
import type { AnnouncedRelease, ReleaseAnnounced } from '../../../src/domain/release/events.ts';
import type { WebhookCreated } from '../../../src/domain/webhook/events.ts';
import type { DomainEvent, EventMetadata } from '../../../src/kernel/event.ts';
import { streamOf } from '../../../src/kernel/stream-name.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import type { EventStore } from '../../../src/ports/event-store.ts';
import type { MessageBus, ReceivedMessage, TopicDeclaration } from '../../../src/ports/message-bus.ts';
import type { OperationalStore } from '../../../src/ports/operational-store.ts';
import type { LeasedFollower } from '../../../src/runtime/resilience/follow-with-lease.ts';
import { type RelayDeps, startRelay } from '../../../src/runtime/relay/relay.ts';
import { openTestEventStore } from '../../spec/worlds/embedded-registry.ts';
import { webhookCreated } from '../../spec/events/entity-events.ts';
import { newEvent } from '../../spec/events/events.ts';
import { eventually } from '../../spec/eventually.ts';
import { hurriedClock } from '../../spec/hurried-clock.ts';
import { createKeptLog } from '../../spec/kept-log.ts';
import { createTempFolder } from '../../spec/temp-folder.ts';

export const registryId = '00000000-0000-4000-8000-00000000000f';

const jsonOf = <Value>(path: string): Value =>
  JSON.parse(readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')) as Value;
const announced = jsonOf<{ data: ReleaseAnnounced['data'] }>('test/fixtures/events/ReleaseAnnounced.v1.json').data;
const topics = jsonOf<TopicDeclaration[]>('ops/topics.json');

/** An id that says what it is of in a failure. */
export const idOf = (prefix: string, name: string | number): string => `${prefix}_${String(name).padStart(21, '0')}`;

export const created = (filters: Partial<WebhookCreated['data']> = {}): WebhookCreated =>
  webhookCreated({ orgId: announced.release.orgId!, ...filters });
export const disabled: DomainEvent = {
  type: 'WebhookDisabled.v1',
  data: { reason: 'gone', disabledAt: '2026-01-01T00:00:00.000Z' },
};
export const deleted: DomainEvent = { type: 'WebhookDeleted.v1', data: { deletedAt: '2026-01-01T00:00:00.000Z' } };

export const announcement = (name: string | number, release: Partial<AnnouncedRelease> = {}): ReleaseAnnounced => ({
  type: 'ReleaseAnnounced.v1',
  data: {
    ...announced,
    eventId: idOf('evt', name),
    release: { ...announced.release, id: idOf('rel', name), ...release },
  },
});

export interface RelayWorld {
  readonly store: EventStore;
  readonly ops: OperationalStore;
  readonly bus: MessageBus;
  readonly log: ReturnType<typeof createKeptLog>;
  /** Another one over the same file. */
  readonly openOps: (clock: Clock) => Promise<OperationalStore>;
  /** Appends to the end of a stream; answers the position. */
  readonly append: (stream: string, event: DomainEvent, metadata?: Partial<EventMetadata>) => Promise<number>;
  readonly webhook: (name: string | number, event: DomainEvent) => Promise<number>;
  readonly announce: (name: string | number, release?: Partial<AnnouncedRelease>) => Promise<number>;
  readonly start: (over?: Partial<RelayDeps>) => LeasedFollower;
  /** Starts one, lets it come to the end of the log and closes it. */
  readonly relayAll: (over?: Partial<RelayDeps>) => Promise<void>;
  readonly caughtUp: (relay: LeasedFollower) => Promise<void>;
  /** Everything on a topic, in order within a key. */
  readonly on: (topic: string) => Promise<ReceivedMessage[]>;
  /** Which announcement is on its way to which subscription, sorted, with repeats. */
  readonly deliveries: () => Promise<string[]>;
  readonly close: () => Promise<void>;
}

/** As `deliveries` spells it. */
export const pair = (event: string | number, subscription: string | number): string => `${event} → ${subscription}`;

const nameIn = (id: string): string => id.replace(/^\w+_0*/, '');

/** Real embedded stores with a relay beside them. */
export async function openRelayWorld(): Promise<RelayWorld> {
  const folder = createTempFolder();
  const onFatal = (error: Error) => {
    throw error;
  };
  const log = createKeptLog();
  const store = await openTestEventStore(folder.path);
  const writer = await startOpsWriter({ folder: folder.path, onFatal });
  const shared = { folder: folder.path, onFatal, writer };
  const ops = await createEmbeddedOperationalStore({ ...shared, clock: systemClock });
  const bus = await createEmbeddedMessageBus({ ...shared, clock: systemClock });
  await bus.ensureTopics(topics);
  const relays: LeasedFollower[] = [];
  const others: OperationalStore[] = [];
  const versions = new Map<string, number>();

  const append: RelayWorld['append'] = async (stream, { type, data }, metadata) => {
    const expectedVersion = versions.get(stream) ?? 0;
    const outcome = await store.append({
      stream,
      expectedVersion,
      events: [newEvent(type, data, { recordedAt: new Date().toISOString(), ...metadata })],
    });
    if (outcome.outcome !== 'appended') throw new Error(`${stream} is not at ${expectedVersion}`);
    versions.set(stream, outcome.version);
    return outcome.position;
  };

  const start: RelayWorld['start'] = (over) => {
    const relay = startRelay({
      store,
      ops,
      bus,
      clock: hurriedClock(),
      log,
      holder: 'a',
      registryId,
      busId: 'bus',
      waitForReadModels: async () => true,
      readModelsPosition: () => store.head(),
      ...over,
    });
    relays.push(relay);
    return relay;
  };
  const caughtUp: RelayWorld['caughtUp'] = async (relay) => {
    const head = await store.head();
    await eventually(`the relay has come to ${head}`, () => relay.position() >= head);
  };

  const on: RelayWorld['on'] = async (topic) => {
    const group = randomUUID();
    const received: ReceivedMessage[] = [];
    const consumer = bus.consume({
      group,
      topics: [topic],
      concurrency: 1,
      deadLetterTopic: 'webhooks.dlq',
      handle: async (message) => void received.push(message),
    });
    await eventually(`${topic} is read`, async () =>
      (await bus.progress(group, [topic])).every(({ waiting }) => waiting === 0),
    );
    await consumer.close();
    return received;
  };

  return {
    store,
    ops,
    bus,
    log,
    openOps: async (clock) => {
      const other = await createEmbeddedOperationalStore({ folder: folder.path, onFatal, clock });
      others.push(other);
      return other;
    },
    append,
    webhook: (name, event) => append(streamOf('webhook', idOf('whk', name)), event),
    announce: (name, release) => append(streamOf('release', idOf('rel', name)), announcement(name, release)),
    start,
    caughtUp,
    relayAll: async (over) => {
      const relay = start(over);
      await caughtUp(relay);
      await relay.close();
    },
    on,
    deliveries: async () =>
      (await on(deliveriesTopic))
        .map(({ value }) => {
          const parsed = parseDeliveryMessage(value);
          if (parsed.kind !== 'message') throw new Error(`${value}: ${parsed.reason}`);
          return pair(nameIn(parsed.message.eventId), nameIn(parsed.message.webhookId));
        })
        .sort(),
    close: async () => {
      for (const relay of relays) await relay.close();
      for (const other of others) await other.close();
      await bus.close();
      await ops.close();
      await writer.close();
      await store.close();
      folder.remove();
    },
  };
}
