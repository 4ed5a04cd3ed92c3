import { z } from 'zod';
import { webhooksProjection } from '../../../projections/webhooks/webhooks.ts';
import { requireWebhook } from '../../../queries/webhook-detail.ts';
import { decodeCursor, encodeCursor } from '../../kernel/paging/cursor.ts';
import { knownParameters } from '../request/known-parameters.ts';
import { deliveryPage, presentDelivery } from '../answers/delivery.ts';
import { booleanParam, cursorParam, sizeParam } from '../request/query-params.ts';
import { defineRoute } from '../route.ts';
import { webhookById, webhookIdOfPath } from './webhook-address.ts';

const deliveriesQuery = z.object({
  limit: sizeParam({ fallback: 20, max: 100 }),
  cursor: cursorParam,
  failed: booleanParam(),
});

/** Time, attempt and id of the last row that was shown. */
const rowPosition = z.tuple([z.int(), z.int(), z.string()]);

export const webhookDeliveries = defineRoute({
  method: 'GET',
  path: '/webhooks/:id/deliveries',
  tag: 'Webhooks',
  summary: 'The attempts to deliver to a subscription within 90 days, the newest first',
  access: 'admin',
  params: webhookById,
  query: deliveriesQuery,
  reads: [webhooksProjection],
  responses: { 200: deliveryPage },
  handle: async ({ params, query: { limit, cursor, failed }, sent }, { view, deliveryLog }) => {
    const scope = {
      feed: 'webhook-deliveries',
      entity: params.id,
      filters: knownParameters(deliveriesQuery, sent),
    };
    const after = cursor === null ? null : decodeCursor(cursor, scope, rowPosition);
    const webhookId = webhookIdOfPath(params.id);
    await requireWebhook(await view(), webhookId);
    // One row more than asked for tells whether a page follows.
    const found = await deliveryLog.page({ webhookId, failedOnly: failed, limit: limit + 1, ...(after && { after }) });
    const rows = found.slice(0, limit);
    const last = rows.at(-1);
    const nextCursor =
      found.length > limit && last !== undefined
        ? encodeCursor({ ...scope, position: [last.atMs, last.attempt, last.id] })
        : null;
    return { status: 200, body: { data: rows.map(presentDelivery), pagination: { nextCursor, limit } } };
  },
});
