import { z } from 'zod';
import type { WebhookEvent } from '../../src/domain/webhook/events.ts';
import { webhook } from '../../src/domain/webhook/state.ts';
import { defineCommand } from '../../src/kernel/command.ts';
import { DomainError } from '../../src/kernel/errors.ts';
import { webhookId } from '../../src/kernel/ids.ts';
import { streamOf } from '../../src/kernel/stream-name.ts';

export const deleteWebhook = defineCommand({
  name: 'DeleteWebhook',
  input: z.strictObject({ webhookId }),
  stream: ({ webhookId }) => streamOf('webhook', webhookId),
  model: webhook,
  decide: (_, state, { now }): WebhookEvent[] => {
    if (state.status !== 'active') throw new DomainError('not_found', 'webhook');
    return [{ type: 'WebhookDeleted.v1', data: { deletedAt: now } }];
  },
});
