import { describe, test } from 'vitest';
import { deleteWebhook } from '../../../commands/webhook/delete-webhook.ts';
import { given, testNow } from '../../spec/given-when-then.ts';
import { hook, webhookCreated, webhookDeleted, webhookDisabled } from './created.ts';

const input = { webhookId: hook };

describe('delete a webhook', () => {
  test('whether it is enabled or not', () => {
    for (const past of [[webhookCreated()], [webhookCreated(), webhookDisabled]]) {
      given(deleteWebhook, past)
        .when(input)
        .then([{ type: 'WebhookDeleted.v1', data: { deletedAt: testNow } }]);
    }
  });

  test('one that is absent or deleted is not found', () => {
    for (const past of [[], [webhookCreated(), webhookDeleted]]) {
      given(deleteWebhook, past).when(input).thenFails('not_found', { entity: 'webhook' });
    }
  });
});
