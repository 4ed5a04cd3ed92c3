import { type WebhookDocument, webhooksProjection } from '../projections/webhooks/webhooks.ts';
import { notFound } from '../src/kernel/errors.ts';
import { type WebhookQueryDeps, type WebhookRecord, webhookRecords } from './shape/webhook-record.ts';

/** Throws `not_found` for a webhook that is not there, or not any more. */
export const requireWebhook = async (
  { models }: Pick<WebhookQueryDeps, 'models'>,
  id: string,
): Promise<WebhookDocument> => {
  const [webhook] = await models.of(webhooksProjection).get([id]);
  if (webhook === undefined) throw notFound('webhook', id);
  return webhook;
};

export const webhookDetail = async (
  deps: WebhookQueryDeps,
  { id }: { readonly id: string },
): Promise<WebhookRecord> => {
  const [record] = await webhookRecords(deps, [await requireWebhook(deps, id)]);
  return record!;
};
