import { eventually } from '../eventually.ts';
import type { PatientClient } from './patient-client.ts';
import type { WebhookReceiver } from '../webhook-receiver.ts';

/** When nobody listened. */
export interface Downtime {
  readonly fromMs: number;
  readonly toMs: number;
}

const refusedMin = 5;

/** Closes the receiver until the log of its subscription shows that some attempts met nobody. */
export async function letReceiverBeDown(
  receiver: WebhookReceiver,
  client: PatientClient,
  webhookId: string,
): Promise<Downtime> {
  const fromMs = Date.now();
  await receiver.close();
  const path = `/v1/webhooks/${webhookId}/deliveries?failed=true`;
  const refused = async () => (await client.get<{ data: unknown[] }>(path)).data.length >= refusedMin;
  await eventually('some attempts met nobody', refused, { withinMs: 90_000, everyMs: 50 });
  await receiver.reopen();
  return { fromMs, toMs: Date.now() };
}
