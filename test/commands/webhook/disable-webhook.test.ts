import { describe, test } from 'vitest';
import { disableWebhook } from '../../../commands/webhook/disable-webhook.ts';
import { given, testNow } from '../../spec/given-when-then.ts';
import { hook, webhookCreated, webhookDeleted, webhookDisabled } from './created.ts';

const input = { webhookId: hook, reason: 'gone' };

describe('disable a webhook', () => {
  test('an enabled one is disabled, with the reason', () => {
    given(disableWebhook, [webhookCreated()])
      .when(input)
      .then([{ type: 'WebhookDisabled.v1', data: { reason: 'gone', disabledAt: testNow } }]);
  });

  test('nothing is recorded of one that is absent, deleted or off already', () => {
    const pasts = [
      [],
      [webhookCreated(), webhookDeleted],
      [webhookCreated(), webhookDisabled],
      [webhookCreated({ enabled: false })],
    ];
    for (const past of pasts) given(disableWebhook, past).when(input).thenNothing();
  });
});
