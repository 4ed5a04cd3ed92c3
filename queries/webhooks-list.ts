import { webhooksProjection } from '../projections/webhooks/webhooks.ts';
import { resolveOrg } from '../src/catalogue/resolve.ts';
import { type WebhookQueryDeps, type WebhookRecord, webhookRecords } from './shape/webhook-record.ts';

const chunkRows = 500;

/** All webhooks that admins made, those of one org, those that are enabled or not; the newest first. */
export const webhooksList = async (
  deps: WebhookQueryDeps,
  { org, enabled }: { readonly org: string | null; readonly enabled: boolean | null },
): Promise<{ readonly subscriptions: readonly WebhookRecord[] }> => {
  const scope =
    org === null
      ? { index: 'byCreated', equals: {} }
      : { index: 'byOrg', equals: { orgId: resolveOrg(deps.catalogue, org, true).id } };
  const subscriptions: WebhookRecord[] = [];
  let after: readonly [number, string] | undefined;
  for (;;) {
    const rows = await deps.models.of(webhooksProjection).query({
      ...scope,
      direction: 'descending',
      limit: chunkRows,
      ...(after && { after }),
    });
    const wanted = rows.filter((row) => enabled === null || row.enabled === enabled);
    subscriptions.push(...(await webhookRecords(deps, wanted)));
    const last = rows.at(-1);
    if (last === undefined || rows.length < chunkRows) return { subscriptions };
    after = [last.createdMs, last.id];
  }
};
