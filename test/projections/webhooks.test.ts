import { expect, it } from 'vitest';
import { webhooksProjection } from '../../projections/webhooks/webhooks.ts';
import type { DomainEvent } from '../../src/kernel/event.ts';
import { hook, webhookCreated, webhookDeleted, webhookDisabled } from '../commands/webhook/created.ts';
import { foldProjection } from '../spec/fold-projection.ts';
import { createRecorder } from '../spec/events/record-events.ts';

const after = (...events: DomainEvent[]) => {
  const recorder = createRecorder();
  recorder.record(`webhook-${hook}`, events);
  return foldProjection(webhooksProjection, recorder.all()).get(hook);
};

it('a subscription has a document from its creation on', () => {
  const created = webhookCreated();
  const { createdAt } = created.data;
  expect(after(created)).toEqual({
    id: hook,
    ...created.data,
    createdMs: Date.parse(createdAt),
    disabledReason: null,
    updatedAt: createdAt,
  });
  expect(after(webhookCreated({ enabled: false }))).toMatchObject({ enabled: false, disabledReason: 'manual' });
});

it('shows why and when it was disabled', () => {
  expect(after(webhookCreated(), webhookDisabled)).toMatchObject({
    enabled: false,
    disabledReason: 'gone',
    updatedAt: '2026-02-01T00:00:00.000Z',
  });
});

it('is gone when it is deleted', () => {
  expect(after(webhookCreated(), webhookDeleted)).toBeUndefined();
  expect(after(webhookDisabled)).toBeUndefined();
});
