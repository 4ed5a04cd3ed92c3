import type { WebhookCreated, WebhookEvent } from '../../../src/domain/webhook/events.ts';
import { acme, idOf } from '../../spec/events/entity-events.ts';

export const hook = idOf('whk', 'H');

export const webhookInput = { url: 'https://hooks.acme.example/in', orgId: acme, sourceId: null, productId: null };

export const webhookCreated = (fields: Partial<WebhookCreated['data']> = {}): WebhookCreated => ({
  type: 'WebhookCreated.v1',
  data: {
    ...webhookInput,
    description: null,
    format: 'json',
    releaseType: null,
    minImportance: null,
    breaking: null,
    enabled: true,
    createdAt: '2026-01-01T00:00:00.000Z',
    ...fields,
  },
});

export const webhookDisabled: WebhookEvent = {
  type: 'WebhookDisabled.v1',
  data: { reason: 'gone', disabledAt: '2026-02-01T00:00:00.000Z' },
};

export const webhookDeleted: WebhookEvent = {
  type: 'WebhookDeleted.v1',
  data: { deletedAt: '2026-02-02T00:00:00.000Z' },
};
