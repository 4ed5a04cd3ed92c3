import { createEmbeddedMessageBus } from '../../../src/adapters/embedded/message-bus/message-bus.ts';
import { createEmbeddedOperationalStore } from '../../../src/adapters/embedded/operational-store/operational-store.ts';
import { startOpsWriter } from '../../../src/adapters/embedded/operational-store/writer-client.ts';
import { systemClock } from '../../../src/adapters/system/clock.ts';
import { systemRandom } from '../../../src/adapters/system/random.ts';
import { systemResolver } from '../../../src/adapters/system/resolver.ts';
import { createHttpClient } from '../../../src/adapters/undici/http-client.ts';
import { newDelivery } from '../../../src/delivery/delivery-state.ts';
import { type DeliveryMessage, renderDeliveryMessage } from '../../../src/delivery/message.ts';
import { retryDelays } from '../../../src/delivery/retry-delays.ts';
import { createTargetGuard } from '../../../src/delivery/target-guard.ts';
import {
  deadLettersTopic,
  delivererGroup,
  deliveriesTopic,
  retryGroup,
  topicsFor,
} from '../../../src/delivery/topics.ts';
import type { ReleaseAnnounced } from '../../../src/domain/release/events.ts';
import type { WebhookDeleted } from '../../../src/domain/webhook/events.ts';
import type { DomainEvent } from '../../../src/kernel/event.ts';
import { derivedId } from '../../../src/kernel/ids.ts';
import type { ReceivedMessage } from '../../../src/ports/message-bus.ts';
import { type Deliverer, type DelivererDeps, startDeliverer } from '../../../src/runtime/deliverer/deliverer.ts';
import { openDeliveryCollections } from '../../../src/records/delivery/delivery-collections.ts';
import { newEvents } from '../../../src/runtime/commands/new-events.ts';
import { createSeal } from '../../../src/records/secrets/seal.ts';
import { createSigningKeys } from '../../../src/records/secrets/signing-keys.ts';
import releaseAnnounced from '../../fixtures/events/ReleaseAnnounced.v1.json' with { type: 'json' };
import { requestOf } from '../../spec/worlds/embedded-registry.ts';
import { eventually } from '../../spec/eventually.ts';
import { openInThreadEventStore } from '../../spec/in-thread-event-store.ts';
import { createKeptLog } from '../../spec/kept-log.ts';
import { webhookCreated } from '../../spec/events/entity-events.ts';
import { erased } from '../../spec/events/release-events.ts';
import { createTempFolder } from '../../spec/temp-folder.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../../spec/webhook-receiver.ts';

const onFatal = (error: Error) => {
  throw error;
};

const { release } = releaseAnnounced.data as ReleaseAnnounced['data'];

const created = (url: string, enabled: boolean) => webhookCreated({ url, orgId: release.orgId!, enabled });
const deleted: WebhookDeleted = { type: 'WebhookDeleted.v1', data: { deletedAt: '2026-02-02T00:00:00.000Z' } };

export type DeliveryWorld = Awaited<ReturnType<typeof openDeliveryWorld>>;

/** Embedded stores and bus, with everything that the deliverer reads; the waits are short enough for a test. */
export async function openDeliveryWorld(delayNames: readonly string[] = ['50ms', '100ms']) {
  const folder = createTempFolder();
  const delays = retryDelays(delayNames);
  const writer = await startOpsWriter({ folder: folder.path, onFatal });
  const embedded = { folder: folder.path, clock: systemClock, onFatal, writer };
  const bus = await createEmbeddedMessageBus(embedded);
  const ops = await createEmbeddedOperationalStore(embedded);
  const store = openInThreadEventStore(folder.path);
  const collections = await openDeliveryCollections(ops);
  const seal = createSeal(new Uint8Array(32), systemRandom);
  const signingKeys = await createSigningKeys({ ops, random: systemRandom, seal });
  const http = createHttpClient();
  const log = createKeptLog();
  const disabled: string[] = [];
  const disabledAt = new Map<string, string>();
  const closers: (() => Promise<unknown>)[] = [];
  let lastNumber = 0;

  const undelayed = ['webhooks.deliveries', 'webhooks.dlq'].map((name) => ({
    name,
    partitions: 3,
    retentionMs: 3_600_000,
  }));
  const topics = topicsFor(undelayed, delays);
  await bus.ensureTopics(topics);
  const retryTopics = topics.map(({ name }) => name).filter((name) => name.startsWith('webhooks.retry.'));

  const append = async (stream: string, ...events: DomainEvent[]): Promise<void> => {
    const { version: expectedVersion } = await store.read(stream);
    const request = requestOf((lastNumber += 1));
    const target = { stream, expectedVersion };
    await store.append({ ...target, events: newEvents(events, target, request, '2026-02-01T00:00:00.000Z') });
  };

  /** A release that was announced. */
  const announce = async () => {
    const number = String((lastNumber += 1));
    const [releaseId, eventId] = [derivedId('rel', number), derivedId('evt', number)];
    const data = { eventId, tsMs: 1_775_001_600_000, release: { ...release, id: releaseId } };
    await append(`release-${releaseId}`, { type: 'ReleaseAnnounced.v1', data });
    return { releaseId, eventId };
  };

  const subscribe = async (url: string, { enabled = true, hasKey = true } = {}): Promise<string> => {
    const id = derivedId('whk', String((lastNumber += 1)));
    if (hasKey) await signingKeys.make(id);
    await append(`webhook-${id}`, created(url, enabled));
    return id;
  };

  const newMessage = (
    webhookId: string,
    announced: { readonly releaseId: string; readonly eventId: string },
    over: Partial<DeliveryMessage> = {},
  ): DeliveryMessage => ({
    ...newDelivery({ ...announced, webhookId, nowMs: systemClock.nowMs() }).message,
    ...over,
  });
  const produce = (...messages: readonly DeliveryMessage[]): Promise<void> =>
    bus.produce(
      deliveriesTopic,
      messages.map((message) => ({ key: message.webhookId, value: renderDeliveryMessage(message) })),
    );

  const start = (over: Partial<DelivererDeps> = {}): Deliverer => {
    const deliverer = startDeliverer({
      bus,
      ops,
      store,
      signingKeys,
      http,
      targets: createTargetGuard({ resolver: systemResolver, allowPrivate: true }),
      isWithdrawn: async () => false,
      disable: async (webhookId) => {
        disabled.push(webhookId);
        if (!disabledAt.has(webhookId)) disabledAt.set(webhookId, new Date().toISOString());
        return disabledAt.get(webhookId)!;
      },
      delays,
      clock: systemClock,
      random: { ...systemRandom, fraction: () => 0.5 },
      log,
      holder: 'a',
      ...over,
    });
    closers.unshift(deliverer.close);
    return deliverer;
  };

  const waiting = async (group: string, names: readonly string[]): Promise<number> =>
    (await bus.progress(group, names)).reduce((sum, progress) => sum + progress.waiting, 0);

  /** All that lies on a topic. */
  const messagesOn = async (topic: string): Promise<ReceivedMessage[]> => {
    const found: ReceivedMessage[] = [];
    const group = `reader-${(lastNumber += 1)}`;
    const handle = async (message: ReceivedMessage) => void found.push(message);
    const reader = bus.consume({ group, topics: [topic], concurrency: 1, handle, deadLetterTopic: deadLettersTopic });
    await eventually('the topic is read', async () => (await waiting(group, [topic])) === 0);
    await reader.close();
    return found;
  };

  const receiverOf = async (...given: Parameters<typeof startWebhookReceiver>): Promise<WebhookReceiver> => {
    const receiver = await startWebhookReceiver(...given);
    closers.push(receiver.close);
    return receiver;
  };

  return {
    bus,
    ops,
    store,
    signingKeys,
    log,
    collections,
    disabled,
    append,
    announce,
    subscribe,
    newMessage,
    produce,
    start,
    messagesOn,
    deadLetters: () => messagesOn(deadLettersTopic),
    erase: (releaseId: string) => append(`release-${releaseId}`, erased(release.sourceId)),
    deleteSubscription: (id: string) => append(`webhook-${id}`, deleted),
    receiver: receiverOf,
    /** The first message of one delivery is on its way to a receiver that answers so. */
    deliverTo: async (...given: Parameters<typeof startWebhookReceiver>) => {
      const receiver = await receiverOf(...given);
      const webhookId = await subscribe(receiver.url());
      const message = newMessage(webhookId, await announce());
      await produce(message);
      return { receiver, webhookId, message };
    },
    stateOf: async ({ eventId, webhookId }: DeliveryMessage) =>
      (await collections.deliveries.get(`${eventId}:${webhookId}`))?.doc ?? null,
    /** The oldest first. */
    rowsOf: async (webhookId: string) => {
      const query = { index: 'byWebhook', equals: { webhookId }, limit: 1_000 };
      return (await collections.rows.query(query)).map(({ doc }) => doc);
    },
    healthOf: async (webhookId: string) => (await collections.healths.get(webhookId))?.doc ?? null,
    waitingOn: (topic: string) => waiting(topic === deliveriesTopic ? delivererGroup : retryGroup, [topic]),
    /** Nothing is in hand, nothing waits. */
    settled: () =>
      eventually('all messages are finished', async () => {
        const retries = await waiting(retryGroup, retryTopics);
        return retries + (await waiting(delivererGroup, [deliveriesTopic])) === 0;
      }),
    close: async () => {
      for (const close of closers) await close();
      await http.close();
      await bus.close();
      await ops.close();
      await writer.close();
      await store.close();
      folder.remove();
    },
  };
}
