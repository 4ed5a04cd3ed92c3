import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deliveryIdOf } from '../../src/delivery/delivery-state.ts';
import { openDeliveries } from '../../src/records/delivery/delivery-documents.ts';
import { eventually } from '../spec/eventually.ts';
import { type HttpService, startHttpService, rootApiKey } from '../spec/http/http-service.ts';
import { type ReceivedRequest, startWebhookReceiver, type WebhookReceiver } from '../spec/webhook-receiver.ts';
import { createWebhookWorld, type WebhookWorld } from '../spec/worlds/webhook-world.ts';

let service: HttpService;
let world: WebhookWorld;
let receiver: WebhookReceiver;
let releases = 0;

const patience = { withinMs: 60_000, everyMs: 20 };

/** Path to status: `/ok`, `/second-time`, `/never`, `/not-there`, `/moved`, `/gone`. */
const statusFor = ({ path, number }: ReceivedRequest): number => {
  if (path.startsWith('/second-time')) return number === 1 ? 503 : 204;
  if (path.startsWith('/never')) return 500;
  if (path.startsWith('/not-there')) return 404;
  if (path.startsWith('/moved')) return 302;
  return path.startsWith('/gone') ? 410 : 200;
};
const answer = (request: ReceivedRequest) => ({
  status: statusFor(request),
  headers: { location: '/elsewhere' },
  body: `as ${request.path} says`,
});

beforeAll(async () => {
  receiver = await startWebhookReceiver(answer);
  service = await startHttpService({ allowPrivateTargets: true });
  world = await createWebhookWorld(service);
});

afterAll(async () => {
  await service.close();
  await receiver.close();
});

const subscribe = async (path: string, fields: object = {}) => {
  const url = receiver.url(path);
  const { status, body } = await service.post('/v1/webhooks', { url, orgId: world.acme.id, ...fields });
  expect(status).toBe(201);
  return body as { id: string; signingKey: string; signingSecret: string };
};

const release = async (source = world.news, fields: object = {}) => {
  releases += 1;
  const item = { title: `Release ${releases}`, version: `${releases}.0.0`, content: 'New.', ...fields };
  const { status, body } = await service.post(`/v1/sources/${source.id}/releases/batch`, { releases: [item] });
  expect(status).toBe(200);
  return (body.insertedIds as string[])[0]!;
};

const get = async (path: string) => (await service.get(path, { key: rootApiKey })).body;
const outcomesOf = async (id: string): Promise<string[]> =>
  (await get(`/v1/webhooks/${id}/deliveries`)).data.map(({ outcome }: { outcome: string }) => outcome).reverse();

const outcomesBecome = (id: string, outcomes: readonly string[]) =>
  eventually(
    `the log says ${outcomes.join()}`,
    async () => JSON.stringify(await outcomesOf(id)) === JSON.stringify(outcomes),
    patience,
  );

/** The id of its one event, once an attempt has failed; by the time that is seen, the second may have failed too. */
const failedFirst = async (id: string): Promise<string> => {
  await eventually('the first attempt has failed', async () => (await outcomesOf(id))[0] === 'retry', patience);
  return (await get(`/v1/webhooks/${id}/deliveries`)).data[0].event_id as string;
};

describe('a webhook', () => {
  it('brings the announcement, signed in both ways, when the release can be read', async () => {
    const { id, signingKey, signingSecret } = await subscribe('/ok');
    const releaseId = await release();
    await outcomesBecome(id, ['success']);

    const [request, ...more] = receiver.requestsTo('/ok');
    expect(more).toEqual([]);
    const { headers, body } = request!;
    const payload = JSON.parse(body);
    expect(payload).toMatchObject({ type: 'release.created', release: { id: releaseId, orgId: world.acme.id } });
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'release-registry-webhooks/1',
      'webhook-id': payload.id,
      'x-service-event-id': payload.id,
      'x-service-version': '1',
    });
    const time = headers['webhook-timestamp'];
    expect(headers['x-service-timestamp']).toBe(time);
    const sign = (key: Buffer, text: string) => createHmac('sha256', key).update(text);
    const secret = Buffer.from(signingSecret.replace('whsec_', ''), 'base64');
    expect(headers['webhook-signature']).toBe(`v1,${sign(secret, `${payload.id}.${time}.${body}`).digest('base64')}`);
    const key = Buffer.from(signingKey, 'hex');
    expect(headers['x-service-signature']).toBe(`sha256=${sign(key, `${time}.${body}`).digest('hex')}`);
    expect((await get(`/v1/releases/${releaseId}`)).title).toBe(payload.release.title);
    expect(await get(`/v1/webhooks/${id}`)).toMatchObject({ deliveryHealth: 'healthy', consecutiveFailures: 0 });
  });

  it('comes again through the tiers, with the same bytes, until it is taken', async () => {
    const { id } = await subscribe('/second-time');
    await release();
    await outcomesBecome(id, ['retry', 'success']);
    const [first, second, ...more] = receiver.requestsTo('/second-time');
    expect(more).toEqual([]);
    expect(second!.body).toBe(first!.body);
    expect(second!.headers['webhook-id']).toBe(first!.headers['webhook-id']);
    const { data } = await get(`/v1/webhooks/${id}/deliveries?failed=true`);
    expect(data).toMatchObject([
      {
        outcome: 'retry',
        http_status: 503,
        attempt: 1,
        error_code: 'subscriber_5xx',
        error_message: expect.any(String),
      },
    ]);
  });

  it('ends as a dead letter when every attempt has failed', async () => {
    const { id } = await subscribe('/never');
    await release();
    await outcomesBecome(id, ['retry', 'retry', 'dlq']);
    expect(receiver.requestsTo('/never')).toHaveLength(3);
    expect(await get(`/v1/webhooks/${id}`)).toMatchObject({
      deliveryHealth: 'degraded',
      consecutiveFailures: 3,
      lastError: 'as /never says',
    });
  });

  it.each(['/not-there', '/moved'])('is not tried again at %s', async (path) => {
    const { id } = await subscribe(path);
    await release();
    await outcomesBecome(id, ['perm_fail']);
    expect(receiver.requestsTo(path)).toHaveLength(1);
    expect(receiver.requestsTo('/elsewhere')).toEqual([]);
  });

  it('is disabled when its receiver is gone, and skips what was on its way', async () => {
    const { id } = await subscribe('/gone');
    await release();
    await outcomesBecome(id, ['perm_fail', 'auto_disabled']);
    expect((await get(`/v1/webhooks/${id}/deliveries?failed=true`)).data[0]).toMatchObject({
      outcome: 'auto_disabled',
      http_status: 0,
      latency_ms: 0,
      attempt: 1,
      error_code: 'gone',
    });
    await eventually('it is disabled', async () => !(await get(`/v1/webhooks/${id}`)).enabled, patience);
    expect(await get(`/v1/webhooks/${id}`)).toMatchObject({ disabledReason: 'gone', deliveryHealth: 'paused' });
    const { id: other } = await subscribe('/ok-beside');
    await release();
    await outcomesBecome(other, ['success']);
    expect(receiver.requestsTo('/gone')).toHaveLength(1);
  });

  it('gets nothing that its filters leave out, nothing of before, and nothing of another org', async () => {
    await release();
    const { id } = await subscribe('/filtered', { sourceId: world.blog.id });
    await release(world.news);
    await release(world.foreign);
    const wanted = await release(world.blog);
    await outcomesBecome(id, ['success']);
    expect(receiver.requestsTo('/filtered').map(({ body }) => JSON.parse(body).release.id)).toEqual([wanted]);
  });

  it('is skipped when it was deleted before its next attempt', async () => {
    const { id } = await subscribe('/never-deleted');
    await release();
    const eventId = await failedFirst(id);
    expect((await service.remove(`/v1/webhooks/${id}`)).status).toBe(204);
    const states = await openDeliveries(service.registry.ops);
    const state = async () => (await states.get(deliveryIdOf(eventId, id)))?.doc;
    await eventually('it is final', async () => (await state())?.phase === 'final', patience);
    const { outcome, errorCode, attempt } = (await state())!;
    expect([outcome, errorCode]).toEqual(['skipped', 'disabled']);
    expect(receiver.requestsTo('/never-deleted')).toHaveLength(attempt - 1);
  });

  it('is skipped when the release was withdrawn before its next attempt', async () => {
    const { id } = await subscribe('/never-withdrawn', { sourceId: world.blog.id });
    await release(world.blog);
    await failedFirst(id);
    expect((await service.patch(`/v1/sources/${world.blog.id}`, { isHidden: true })).status).toBe(200);
    await eventually('it is skipped', async () => (await outcomesOf(id)).at(-1) === 'skipped', patience);
    const attemptsMade = receiver.requestsTo('/never-withdrawn').length;
    expect(await outcomesOf(id)).toEqual([...Array<string>(attemptsMade).fill('retry'), 'skipped']);
    expect((await get(`/v1/webhooks/${id}/deliveries`)).data[0]).toMatchObject({
      outcome: 'skipped',
      attempt: attemptsMade + 1,
      http_status: 0,
      error_code: 'withdrawn',
    });
  });
});
