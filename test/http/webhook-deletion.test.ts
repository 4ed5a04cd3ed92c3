import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DeliveryLogRow, deliveryLogDeclaration, logRowChange } from '../../src/records/delivery/delivery-log.ts';
import {
  type WebhookHealth,
  webhookHealthDeclaration,
  untriedHealth,
} from '../../src/records/delivery/webhook-health.ts';
import { type HttpAnswer, type HttpService, rootApiKey, startHttpService } from '../spec/http/http-service.ts';
import { createWebhookWorld, hookUrl, testResolver } from '../spec/worlds/webhook-world.ts';

let service: HttpService;

beforeAll(async () => {
  service = await startHttpService({ resolver: testResolver });
  await createWebhookWorld(service);
});
afterAll(() => service.close());

const root = { key: rootApiKey };
const create = async () =>
  (await service.post('/v1/webhooks', { url: hookUrl, orgSlug: 'acme' })).body as { readonly id: string };
const codeOf = ({ status, body }: HttpAnswer) => [status, body.error.code];

const logRow = (webhookId: string): DeliveryLogRow => ({
  id: `row of ${webhookId}`,
  webhookId,
  eventId: `evt_${'0'.repeat(21)}`,
  run: 1,
  attempt: 1,
  outcome: 'success',
  httpStatus: 200,
  latencyMs: 12,
  errorCode: null,
  errorMessage: null,
  atMs: Date.now(),
  nextAttemptAtMs: null,
  isTest: false,
  failed: 0,
});

describe('deleting a subscription', () => {
  it('takes it away at once, and a second time there is nothing', async () => {
    const { id } = await create();
    const { status, text, headers } = await service.remove(`/v1/webhooks/${id}`);
    expect([status, text]).toEqual([204, '']);
    expect(Number(headers.get('x-service-position'))).toBeGreaterThan(0);
    expect(codeOf(await service.get(`/v1/webhooks/${id}`, root))).toEqual([404, 'not_found']);
    expect(codeOf(await service.get(`/v1/webhooks/${id}/deliveries`, root))).toEqual([404, 'not_found']);
    expect(codeOf(await service.remove(`/v1/webhooks/${id}`))).toEqual([404, 'not_found']);
    expect((await service.get('/v1/webhooks', root)).text).not.toContain(id);
  });

  it('takes its log and its health with it, also when the deletion broke off before', async () => {
    const { id } = await create();
    const rows = await service.registry.ops.collection<DeliveryLogRow>(deliveryLogDeclaration);
    const healths = await service.registry.ops.collection<WebhookHealth>(webhookHealthDeclaration);
    const kept = async () => [
      (await rows.query({ index: 'byWebhook', equals: { webhookId: id }, limit: 10 })).length,
      (await healths.get(id)) === null ? 0 : 1,
    ];
    const write = () =>
      service.registry.ops.transact([
        logRowChange(logRow(id)),
        { kind: 'put', collection: webhookHealthDeclaration.name, doc: untriedHealth(id) },
      ]);
    await write();
    expect(await kept()).toEqual([1, 1]);
    expect((await service.remove(`/v1/webhooks/${id}`)).status).toBe(204);
    expect(await kept()).toEqual([0, 0]);
    await write();
    expect((await service.remove(`/v1/webhooks/${id}`)).status).toBe(404);
    expect(await kept()).toEqual([0, 0]);
  });
});
