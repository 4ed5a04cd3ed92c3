import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemResolver } from '../../../src/adapters/system/resolver.ts';
import { renderDeliveryMessage } from '../../../src/delivery/message.ts';
import { payloadText } from '../../../src/delivery/payload.ts';
import { createTargetGuard } from '../../../src/delivery/target-guard.ts';
import type { ReleaseAnnounced } from '../../../src/domain/release/events.ts';
import type { AttemptInfo, DeliveryOutcome } from '../../../src/runtime/deliverer/on-attempt.ts';
import { eventually } from '../../spec/eventually.ts';
import { type DeliveryWorld, openDeliveryWorld } from './delivery-world.ts';

let world: DeliveryWorld;
beforeEach(async () => {
  world = await openDeliveryWorld();
});
afterEach(() => world.close());

const outcomesOf = async (webhookId: string) =>
  (await world.rowsOf(webhookId)).map(({ attempt, outcome, httpStatus }) => [attempt, outcome, httpStatus]);

describe('a delivery', () => {
  it('is the payload of the announcement, with signatures that the key of the subscription verifies', async () => {
    const attempts: AttemptInfo[] = [];
    const outcomes: DeliveryOutcome[] = [];
    world.start({ onAttempt: (info) => attempts.push(info), onOutcome: (outcome) => outcomes.push(outcome) });
    const { receiver, webhookId, message } = await world.deliverTo();
    await eventually('it arrives', () => receiver.requests.length === 1);
    await world.settled();

    const [event] = (await world.store.read(`release-${message.releaseId}`)).events;
    const [request] = receiver.requests;
    expect(request?.body).toBe(payloadText(event?.data as ReleaseAnnounced['data'], event?.position ?? 0));
    const { headers, body } = request!;
    const timestamp = headers['webhook-timestamp'];
    expect(Math.abs(Number(timestamp) - Date.now() / 1_000)).toBeLessThan(300);
    const key = (await world.signingKeys.get(webhookId))!;
    const hmac = (text: string) => createHmac('sha256', key).update(text);
    expect(headers).toMatchObject({
      'webhook-id': message.eventId,
      'webhook-signature': `v1,${hmac(`${message.eventId}.${timestamp}.${body}`).digest('base64')}`,
      'x-service-event-id': message.eventId,
      'x-service-signature': `sha256=${hmac(`${timestamp}.${body}`).digest('hex')}`,
      'content-type': 'application/json',
    });

    expect(await world.stateOf(message)).toMatchObject({ phase: 'final', outcome: 'success', hasSucceeded: true });
    const rows = await world.rowsOf(webhookId);
    expect(rows).toMatchObject([
      { eventId: message.eventId, attempt: 1, outcome: 'success', httpStatus: 200, errorMessage: null, failed: 0 },
    ]);
    expect(outcomes).toEqual(['success']);
    expect(attempts).toMatchObject([{ eventId: message.eventId, attempt: 1, atMs: rows[0]?.atMs, outcome: 'success' }]);
    expect(await world.healthOf(webhookId)).toMatchObject({
      consecutiveFailures: 0,
      lastSuccessAtMs: rows[0]?.atMs,
    });
  });

  it('waits through the retry topics until the receiver takes it', async () => {
    world.start();
    const { receiver, webhookId, message } = await world.deliverTo(({ number }) => ({
      status: number < 3 ? 503 : 204,
    }));
    await eventually('it arrives', () => receiver.requests.length === 3);
    await world.settled();
    expect(await outcomesOf(webhookId)).toEqual([
      [1, 'retry', 503],
      [2, 'retry', 503],
      [3, 'success', 204],
    ]);
    expect(new Set(receiver.requests.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([message.eventId]));
    const [first, second, third] = await world.rowsOf(webhookId);
    expect(second!.atMs).toBeGreaterThanOrEqual(first!.nextAttemptAtMs!);
    expect(third!.atMs).toBeGreaterThanOrEqual(second!.nextAttemptAtMs!);
    expect(second!.nextAttemptAtMs! - second!.atMs).toBeGreaterThanOrEqual(100);
    expect(await world.healthOf(webhookId)).toMatchObject({
      consecutiveFailures: 0,
      lastError: expect.any(String) as string,
    });
  });

  it('ends as a dead letter after the last attempt, which is told on the topic', async () => {
    world.start();
    const { receiver, webhookId, message } = await world.deliverTo(() => ({ status: 500, body: 'out of order' }));
    await eventually('it is final', async () => (await world.stateOf(message))?.phase === 'final');
    await world.settled();
    expect(receiver.requests).toHaveLength(3);
    expect(await outcomesOf(webhookId)).toEqual([
      [1, 'retry', 500],
      [2, 'retry', 500],
      [3, 'dlq', 500],
    ]);
    const [letter, ...others] = await world.deadLetters();
    expect(others).toEqual([]);
    expect(letter?.key).toBe(webhookId);
    const state = await world.stateOf(message);
    expect(JSON.parse(letter?.value ?? '')).toEqual({
      ...(JSON.parse(renderDeliveryMessage(message)) as object),
      attempt: 3,
      notBefore: state?.notBeforeMs,
      outcome: 'dlq',
      errorCode: 'subscriber_5xx',
      failedAtMs: state?.changedAtMs,
    });
    expect(await world.healthOf(webhookId)).toMatchObject({ consecutiveFailures: 3, lastError: 'out of order' });
  });

  it.each([404, 302])('fails for good when the receiver answers %i', async (status) => {
    world.start();
    const { receiver, webhookId, message } = await world.deliverTo(() => ({ status, headers: { location: '/' } }));
    await eventually('it is final', async () => (await world.stateOf(message))?.phase === 'final');
    await world.settled();
    expect(receiver.requests).toHaveLength(1);
    expect(await outcomesOf(webhookId)).toEqual([[1, 'perm_fail', status]]);
    expect(world.disabled).toEqual([]);
  });

  it('is retried when nobody listens at the address', async () => {
    const receiver = await world.receiver();
    await receiver.close();
    const webhookId = await world.subscribe(receiver.url());
    const message = world.newMessage(webhookId, await world.announce());
    await world.produce(message);
    world.start();
    await eventually('it is final', async () => (await world.stateOf(message))?.phase === 'final');
    const rows = await world.rowsOf(webhookId);
    expect(rows.map(({ outcome, httpStatus, errorCode }) => [outcome, httpStatus, errorCode])).toEqual([
      ['retry', 0, 'network'],
      ['retry', 0, 'network'],
      ['dlq', 0, 'network'],
    ]);
  });

  it('goes to no address that is not allowed', async () => {
    world.start({ targets: createTargetGuard({ resolver: systemResolver, allowPrivate: false }) });
    const { receiver, webhookId, message } = await world.deliverTo();
    await eventually('it is final', async () => (await world.stateOf(message))?.phase === 'final');
    expect(receiver.requests).toEqual([]);
    expect(await world.rowsOf(webhookId)).toMatchObject([
      { outcome: 'perm_fail', errorCode: 'ssrf_blocked', httpStatus: 0 },
    ]);
  });

  it('waits for a host whose name cannot be resolved now', async () => {
    const resolver = { addresses: async () => [] };
    world.start({ targets: createTargetGuard({ resolver, allowPrivate: false }) });
    const webhookId = await world.subscribe('https://hooks.example.com/');
    const message = world.newMessage(webhookId, await world.announce());
    await world.produce(message);
    await eventually('it is final', async () => (await world.stateOf(message))?.phase === 'final');
    expect((await world.rowsOf(webhookId)).map(({ outcome, errorCode }) => [outcome, errorCode])).toEqual([
      ['retry', 'dns'],
      ['retry', 'dns'],
      ['dlq', 'dns'],
    ]);
  });
});

describe('a delivery that is not made', () => {
  const expectSkipped = async (webhookId: string, message: ReturnType<DeliveryWorld['newMessage']>, code: string) => {
    await world.produce(message);
    await eventually('it is final', async () => (await world.stateOf(message))?.phase === 'final');
    await world.settled();
    expect(await world.stateOf(message)).toMatchObject({ outcome: 'skipped', errorCode: code });
    expect(await world.rowsOf(webhookId)).toMatchObject([
      { attempt: message.attempt, outcome: 'skipped', errorCode: code, httpStatus: 0, latencyMs: 0, failed: 0 },
    ]);
    expect(await world.healthOf(webhookId)).toBeNull();
  };

  it('has a row that says so when the subscription was deleted, disabled or never there', async () => {
    world.start();
    const receiver = await world.receiver();
    const announced = await world.announce();
    const deleted = await world.subscribe(receiver.url());
    await world.deleteSubscription(deleted);
    const disabled = await world.subscribe(receiver.url(), { enabled: false });
    await expectSkipped(deleted, world.newMessage(deleted, announced), 'disabled');
    await expectSkipped(disabled, world.newMessage(disabled, announced, { attempt: 2 }), 'disabled');
    const absent = `whk_${'0'.repeat(21)}`;
    await expectSkipped(absent, world.newMessage(absent, announced), 'disabled');
    expect(receiver.requests).toEqual([]);
  });

  it('has a row that says so when the release was erased or is withdrawn', async () => {
    const [erased, hidden] = [await world.announce(), await world.announce()];
    world.start({ isWithdrawn: async (releaseId) => releaseId === hidden.releaseId });
    const receiver = await world.receiver();
    await world.erase(erased.releaseId);
    for (const announced of [erased, hidden]) {
      const webhookId = await world.subscribe(receiver.url());
      await expectSkipped(webhookId, world.newMessage(webhookId, announced), 'withdrawn');
    }
    expect(receiver.requests).toEqual([]);
  });
});

it('says why it cannot begin when a topic is missing', async () => {
  const deliverer = world.start({ delays: [{ name: '7h', delayMs: 7 * 3_600_000 }] });
  await expect(deliverer.done).rejects.toThrow('webhooks.retry.7h');
});
