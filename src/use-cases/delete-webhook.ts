import { deleteWebhook as deleteWebhookCommand } from '../../commands/webhook/delete-webhook.ts';
import type { CommandRequest } from '../kernel/command.ts';
import { isDomainError } from '../kernel/errors.ts';
import type { DeliveryLog } from '../records/delivery/delivery-log.ts';
import type { SigningKeys } from '../records/secrets/signing-keys.ts';
import type { WebhookHealths } from '../records/delivery/webhook-health.ts';
import type { CommandRunner } from '../runtime/commands/command-runner.ts';

export interface DeleteWebhookServices {
  readonly commands: CommandRunner;
  readonly signingKeys: Pick<SigningKeys, 'remove'>;
  readonly webhookHealths: Pick<WebhookHealths, 'remove'>;
  readonly deliveryLog: Pick<DeliveryLog, 'remove'>;
}

/**
 * Ends a webhook. Its signing key, how it fared and the log of its deliveries go with it (contract 13.9); the deliveries
 * themselves end as skipped when their turn comes, and expire.
 */
export async function deleteWebhook(
  { commands, signingKeys, webhookHealths, deliveryLog }: DeleteWebhookServices,
  webhookId: string,
  request: CommandRequest,
): Promise<{ readonly position: number }> {
  const removeRecords = async () => {
    await signingKeys.remove(webhookId);
    await webhookHealths.remove(webhookId);
    await deliveryLog.remove(webhookId);
  };
  const deleting = commands.run(deleteWebhookCommand, { webhookId }, request);
  const { position } = await deleting.catch(async (error: unknown) => {
    // A deletion may have broken off after its event.
    if (isDomainError(error, 'not_found')) await removeRecords();
    throw error;
  });
  await removeRecords();
  return { position };
}
