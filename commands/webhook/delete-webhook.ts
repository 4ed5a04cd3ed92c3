import { z } from 'zod';
import type { WebhookEvent } from '../../src/domain/webhook/events.ts';
import { webhook } from '../../src/domain/webhook/state.ts';
import { defineCommand } from '../../src/kernel/command.ts';
import { notFound } from '../../src/kernel/errors.ts';
import { webhookId } from '../../src/kernel/ids.ts';
import { streamOf } from '../../src/kernel/stream-name.ts';

export const deleteWebhook = defineCommand({
  name: 'DeleteWebhook',
  input: z.strictObject({ webhookId }),
  stream: ({ webhookId }) => streamOf('webhook', webhookId),
  model: webhook,
  decide: (_, state, { now, id }): WebhookEvent[] => {
    if (state.status !== 'active') throw notFound('webhook', id);
    return [{ type: 'WebhookDeleted.v1', data: { deletedAt: now } }];
  },
});
