import { describe, expect, it } from 'vitest';
import { storedEventTypes } from '../../spec/events/stored-event-types.ts';
import type { DomainEvent, RecordedEvent } from '../../../src/kernel/event.ts';
import type { WebhookEvent } from '../../../src/domain/webhook/events.ts';
import {
  createRelayWebhooks,
  foldWebhook,
  type RelayWebhook,
  webhookTypes,
} from '../../../src/runtime/relay/relay-webhooks.ts';
import { createRecorder } from '../../spec/events/record-events.ts';
import { announcement, created, deleted, disabled, idOf } from './relay-world.ts';

const id = idOf('whk', 'one');

const recorded = (...events: readonly DomainEvent[]): RecordedEvent<WebhookEvent>[] =>
  createRecorder().record(`webhook-${id}`, events) as RecordedEvent<WebhookEvent>[];

const fold = (...events: readonly DomainEvent[]): RelayWebhook | null =>
  recorded(...events).reduce<RelayWebhook | null>(foldWebhook, null);

const { release } = announcement('news').data;

describe('the fold of a webhook', () => {
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
    expect([...webhookTypes].sort()).toEqual(storedEventTypes.filter((type) => type.startsWith('Webhook')).sort());
  });
});

describe('the webhooks in memory', () => {
  const matching = (webhooks: ReturnType<typeof createRelayWebhooks>, position: number) =>
    [...webhooks.matching(release, position)].map((webhook) => webhook.id);

  it('give an announcement to nobody who was made at its place or behind it', () => {
    const webhooks = createRelayWebhooks([fold(created())!]);
    expect([9, 10, 11].map((position) => matching(webhooks, position))).toEqual([[], [], [id]]);
  });

  it('tell each change once, as it is in the end', () => {
    const webhooks = createRelayWebhooks();
    const [made, off, gone] = recorded(created(), disabled, deleted);
    webhooks.apply(made!);
    webhooks.apply(off!);
    expect(webhooks.takeChanges()).toEqual([{ id, webhook: expect.objectContaining({ enabled: false }) }]);
    expect(webhooks.takeChanges()).toEqual([]);
    webhooks.apply(gone!);
    expect(webhooks.takeChanges()).toEqual([{ id, webhook: null }]);
    expect(matching(webhooks, 1_000)).toEqual([]);
  });
});
