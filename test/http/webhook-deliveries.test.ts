import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DeliveryLogRow, logRowChange } from '../../src/records/delivery/delivery-log.ts';
import { type HttpService, rootApiKey, startHttpService } from '../spec/http/http-service.ts';
import { createWebhookWorld, hookUrl, testResolver } from '../spec/worlds/webhook-world.ts';

let service: HttpService;
let webhookId: string;
let otherId: string;

const root = { key: rootApiKey };
const startedMs = Date.now() - 3_600_000;
const eventIdOf = (number: number) => `evt_${String(number).padStart(21, '0')}`;

const row = (number: number, fields: Partial<DeliveryLogRow> = {}): DeliveryLogRow => ({
  id: `row-${number}`,
  webhookId,
  eventId: eventIdOf(number),
  run: 1,
  attempt: 1,
  outcome: 'success',
  httpStatus: 200,
  latencyMs: 12,
  errorCode: null,
  errorMessage: null,
  atMs: startedMs + number * 1_000,
  nextAttemptAtMs: null,
  isTest: false,
  failed: 0,
  ...fields,
});

const failedRow = (number: number): DeliveryLogRow =>
  row(number, {
    outcome: 'retry',
    httpStatus: 503,
    attempt: 2,
    errorCode: 'subscriber_5xx',
    errorMessage: 'try later',
    nextAttemptAtMs: startedMs + number * 1_000 + 30_000,
    failed: 1,
  });

beforeAll(async () => {
  service = await startHttpService({ resolver: testResolver });
  await createWebhookWorld(service);
  const create = async () => (await service.post('/v1/webhooks', { url: hookUrl, orgSlug: 'acme' })).body.id;
  [webhookId, otherId] = [await create(), await create()];
  // Every fifth fails; two lie in the same millisecond, the later attempt under the lesser id.
  const rows = Array.from({ length: 25 }, (_, number) => (number % 5 === 0 ? failedRow(number) : row(number)));
  rows.push(row(24, { id: 'row-0-twin', attempt: 2 }), row(99, { id: 'row-other', webhookId: otherId }));
  await service.registry.ops.transact(rows.map(logRowChange));
});
afterAll(() => service.close());

const read = (query = '', id = webhookId) => service.get(`/v1/webhooks/${id}/deliveries${query}`, root);
const eventIdsOf = ({ body }: { body: { data: { event_id: string }[] } }) => body.data.map(({ event_id }) => event_id);
const numbered = (...numbers: number[]) => numbers.map(eventIdOf);

describe('the log of deliveries', () => {
  it('shows the newest first, 20 unless told otherwise', async () => {
    const { status, body, headers } = await read();
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('private, no-store');
    expect(body.data.length).toBe(20);
    expect(body.pagination).toEqual({ nextCursor: expect.any(String), limit: 20 });
    const times = body.data.map(({ timestamp }: { timestamp: string }) => timestamp);
    expect(times).toEqual([...times].sort().reverse());
    expect(body.data.slice(0, 2).map(({ attempt }: { attempt: number }) => attempt)).toEqual([2, 1]);
    expect((await read('?limit=500')).body.pagination).toEqual({ nextCursor: null, limit: 100 });
    expect(eventIdsOf(await read('', otherId))).toEqual(numbered(99));
  });

  it('has rows with the names of the contract', async () => {
    const { body } = await read('?limit=100');
    const shown = (number: number) =>
      body.data.find((each: { event_id: string }) => each.event_id === eventIdOf(number));
    expect(shown(23)).toEqual({
      timestamp: new Date(startedMs + 23_000).toISOString(),
      event_id: eventIdOf(23),
      outcome: 'success',
      http_status: 200,
      latency_ms: 12,
      attempt: 1,
      error_message: null,
      error_code: null,
      next_attempt_at: null,
      test: false,
    });
    expect(shown(20)).toMatchObject({
      outcome: 'retry',
      http_status: 503,
      attempt: 2,
      error_message: 'try later',
      error_code: 'subscriber_5xx',
      next_attempt_at: new Date(startedMs + 50_000).toISOString(),
    });
  });

  it('is paged without gaps and repeats, also by another size of page, and ends without an empty page', async () => {
    const seen: string[] = [];
    let cursor: string | null = null;
    let pages = 0;
    do {
      const limit: number = pages === 0 ? 1 : 5;
      const page = await read(`?limit=${limit}${cursor === null ? '' : `&cursor=${cursor}`}`);
      seen.push(...eventIdsOf(page));
      cursor = page.body.pagination.nextCursor;
      pages += 1;
      if (pages === 1) {
        // What comes in between two pages shifts nothing.
        await service.registry.ops.transact([logRowChange(row(200))]);
      }
    } while (cursor !== null);
    expect(seen).toEqual(numbered(24, ...Array.from({ length: 25 }, (_, index) => 24 - index)));
    expect(pages).toBe(6);
  });

  it('shows failures and retries alone when asked to', async () => {
    const first = await read('?failed=true&limit=3');
    expect(eventIdsOf(first)).toEqual(numbered(20, 15, 10));
    const rest = await read(`?failed=true&limit=3&cursor=${first.body.pagination.nextCursor}`);
    expect(eventIdsOf(rest)).toEqual(numbered(5, 0));
    expect(rest.body.pagination.nextCursor).toBeNull();
  });

  it('takes a cursor for the same subscription and filter only', async () => {
    const { nextCursor } = (await read('?limit=3')).body.pagination;
    expect((await read(`?cursor=${nextCursor}&unknown=1`)).status).toBe(200);
    const refused = [
      await read(`?cursor=${nextCursor}&failed=true`),
      await read(`?cursor=${nextCursor}`, otherId),
      await read('?cursor=nonsense'),
      // What is wrong with the query is told before what is missing.
      await read('?cursor=nonsense', 'whk_aaaaaaaaaaaaaaaaaaaaa'),
      await read('?cursor=nonsense', 'nonsense'),
    ];
    for (const { status, body } of refused) expect([status, body.error.code]).toEqual([400, 'invalid_cursor']);
  });

  it.each(['limit=0', 'limit=x', 'failed=maybe'])('refuses %s', async (query) => {
    const { status, body } = await read(`?${query}`);
    expect([status, body.error.code]).toEqual([400, 'invalid_parameter']);
    expect(body.error.details.parameter).toBe(query.split('=')[0]);
  });
});
