import { describe, expect, it } from 'vitest';
import { storedEventTypes } from '../../../src/domain/stored-event-types.ts';
import type { DomainEvent, RecordedEvent } from '../../../src/kernel/event.ts';
import type { WebhookEvent } from '../../../src/domain/webhook/events.ts';
import {
  createRelaySubscriptions,
  foldSubscription,
  type RelaySubscription,
  subscriptionTypes,
} from '../../../src/runtime/relay/relay-subscriptions.ts';
import { createRecorder } from '../../spec/events/record-events.ts';
import { announcement, created, deleted, disabled, idOf } from './relay-world.ts';

const id = idOf('whk', 'one');

const recorded = (...events: readonly DomainEvent[]): RecordedEvent<WebhookEvent>[] =>
  createRecorder().record(`webhook-${id}`, events) as RecordedEvent<WebhookEvent>[];

const fold = (...events: readonly DomainEvent[]): RelaySubscription | null =>
  recorded(...events).reduce<RelaySubscription | null>(foldSubscription, null);

const { release } = announcement('news').data;

describe('the fold of a subscription', () => {
  it('keeps its filters and the place where it was made, and nothing else', () => {
    const filters = {
      orgId: 'org_A',
      sourceId: 'src_S',
      productId: 'prod_P',
      releaseType: 'rollup',
      minImportance: 4,
      breaking: ['major'],
      enabled: true,
    } as const;
    expect(fold(created(filters))).toEqual({ id, ...filters, position: 10 });
  });

  it('disables and deletes', () => {
    expect(fold(created(), disabled)).toMatchObject({ id, enabled: false, position: 10 });
    expect(fold(created(), deleted)).toBeNull();
    expect(fold(created(), disabled, deleted)).toBeNull();
  });

  it('makes nothing of events whose beginning it has not seen', () => {
    expect(fold(disabled)).toBeNull();
    expect(fold(deleted)).toBeNull();
  });

  it('knows every event of a webhook', () => {
    expect([...subscriptionTypes].sort()).toEqual(storedEventTypes.filter((type) => type.startsWith('Webhook')).sort());
  });
});

describe('the subscriptions in memory', () => {
  const matching = (subscriptions: ReturnType<typeof createRelaySubscriptions>, position: number) =>
    [...subscriptions.matching(release, position)].map((subscription) => subscription.id);

  it('give an announcement to nobody who was made at its place or behind it', () => {
    const subscriptions = createRelaySubscriptions([fold(created())!]);
    expect([9, 10, 11].map((position) => matching(subscriptions, position))).toEqual([[], [], [id]]);
  });

  it('tell each change once, as it is in the end', () => {
    const subscriptions = createRelaySubscriptions();
    const [made, off, gone] = recorded(created(), disabled, deleted);
    subscriptions.apply(made!);
    subscriptions.apply(off!);
    expect(subscriptions.takeChanges()).toEqual([{ id, subscription: expect.objectContaining({ enabled: false }) }]);
    expect(subscriptions.takeChanges()).toEqual([]);
    subscriptions.apply(gone!);
    expect(subscriptions.takeChanges()).toEqual([{ id, subscription: null }]);
    expect(matching(subscriptions, 1_000)).toEqual([]);
  });
});
