import { z } from 'zod';
import type { WebhookEvent } from '../../src/domain/webhook/events.ts';
import { webhook } from '../../src/domain/webhook/state.ts';
import { defineCommand } from '../../src/kernel/command.ts';
import { webhookId } from '../../src/kernel/ids.ts';
import { streamOf } from '../../src/kernel/stream-name.ts';

/** Sent by delivery, which may be late: a webhook that is gone or off meanwhile is as it should be. */
export const disableWebhook = defineCommand({
  name: 'DisableWebhook',
  input: z.strictObject({ webhookId, reason: z.literal('gone') }),
  stream: ({ webhookId }) => streamOf('webhook', webhookId),
  model: webhook,
  decide: ({ reason }, state, { now }): WebhookEvent[] => {
    if (state.status !== 'active' || !state.enabled) return [];
    return [{ type: 'WebhookDisabled.v1', data: { reason, disabledAt: now } }];
  },
});
