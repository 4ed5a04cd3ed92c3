import { z } from 'zod';
import { toTimestamp } from '../../kernel/dates.ts';
import { eventId } from '../../kernel/ids.ts';
import type { DeliveryLogRow } from '../../records/delivery/delivery-log.ts';
import { count } from './count.ts';
import { cursorPagination } from './pagination.ts';
import { timestamp } from './timestamp.ts';

const errorCodes = [
  'network',
  'dns',
  'timeout',
  'tls',
  'subscriber_3xx',
  'subscriber_4xx',
  'subscriber_5xx',
  'gone',
  'ssrf_blocked',
  'disabled',
  'withdrawn',
] as const satisfies readonly DeliveryLogRow['errorCode'][];

/** One attempt, or why none was made (contract 13.9). */
const delivery = z
  .strictObject({
    timestamp,
    event_id: eventId,
    outcome: z.enum(['success', 'retry', 'perm_fail', 'dlq', 'auto_disabled', 'skipped']),
    http_status: count,
    latency_ms: count,
    attempt: z.int().min(1),
    error_message: z.string().nullable(),
    error_code: z.enum(errorCodes).nullable(),
    next_attempt_at: timestamp.nullable(),
    test: z.boolean(),
  })
  .meta({ id: 'Delivery' });

export const deliveryPage = z.strictObject({ data: z.array(delivery), pagination: cursorPagination });

export const presentDelivery = (row: DeliveryLogRow): z.output<typeof delivery> => ({
  timestamp: toTimestamp(row.atMs),
  event_id: row.eventId,
  outcome: row.outcome,
  http_status: row.httpStatus,
  latency_ms: row.latencyMs,
  attempt: row.attempt,
  error_message: row.errorMessage,
  error_code: row.errorCode,
  next_attempt_at: row.nextAttemptAtMs === null ? null : toTimestamp(row.nextAttemptAtMs),
  test: row.isTest,
});
