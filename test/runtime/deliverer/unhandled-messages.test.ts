import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/adapters/system/clock.ts';
import { renderDeliveryMessage } from '../../../src/delivery/message.ts';
import { deliveriesTopic } from '../../../src/delivery/topics.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import type { EventStore } from '../../../src/ports/event-store.ts';
import { eventually } from '../../spec/eventually.ts';
import { hurriedClock } from '../../spec/hurried-clock.ts';
import { type DeliveryWorld, openDeliveryWorld } from './delivery-world.ts';

let world: DeliveryWorld;
beforeEach(async () => {
  world = await openDeliveryWorld();
});
afterEach(() => world.close());

describe('a message that cannot be handled', () => {
  const expectBuried = async (value: string, start: Promise<void>) => {
    await start;
    await eventually('it is buried', async () => (await world.deadLetters()).length === 1);
    const [letter] = await world.deadLetters();
    expect(letter).toMatchObject({ value, headers: { 'x-origin-topic': deliveriesTopic } });
    await world.settled();
    const errors = world.log.lines.filter(({ level }) => level === 'error');
    expect(errors).toEqual([{ level: 'error', sentence: expect.stringContaining(deliveriesTopic) as string }]);
  };

  it('lies as it came among the dead letters when it cannot be read', async () => {
    world.start();
    await expectBuried('{"eventId":', world.bus.produce(deliveriesTopic, [{ key: 'x', value: '{"eventId":' }]));
  });

  it('lies there when its subscription has no key, and nothing is sent without a signature', async () => {
    world.start();
    const receiver = await world.receiver();
    const webhookId = await world.subscribe(receiver.url(), { hasKey: false });
    const message = world.newMessage(webhookId, await world.announce());
    await expectBuried(renderDeliveryMessage(message), world.produce(message));
    expect(receiver.requests).toEqual([]);
    // The sweeper finds it there.
    const state = await world.stateOf(message);
    expect(state).toMatchObject({ phase: 'due', run: 1, attempt: 1, outcome: null, burials: 1 });
    expect(state?.notBeforeMs).toBeGreaterThanOrEqual(message.notBefore);
  });

  it('ends for good when it was buried three times, and is told to its owner and among the dead letters', async () => {
    world.start();
    const receiver = await world.receiver();
    const webhookId = await world.subscribe(receiver.url(), { hasKey: false });
    const message = world.newMessage(webhookId, await world.announce());
    for (const burials of [1, 2, 3]) {
      await world.produce(message); // as the sweeper does
      await eventually('it is buried', async () => (await world.stateOf(message))?.burials === burials);
      await world.settled();
    }
    expect(await world.stateOf(message)).toMatchObject({ phase: 'final', outcome: 'dlq', errorCode: null });
    const letters = (await world.deadLetters()).map(({ value }) => JSON.parse(value) as object);
    const { eventId } = message;
    expect(letters).toMatchObject([{ eventId }, { eventId }, { eventId, outcome: 'dlq' }]);
    const row = { attempt: 1, outcome: 'dlq', httpStatus: 0, errorCode: null, nextAttemptAtMs: null, failed: 1 };
    expect(await world.rowsOf(webhookId)).toMatchObject([row]);
    expect(await world.healthOf(webhookId)).toBeNull(); // no attempt was made
    expect(receiver.requests).toEqual([]);
    expect(world.log.lines.filter(({ level }) => level === 'error')).toHaveLength(3);
  });

  it('is known when its key cannot be opened, at the attempt that it names', async () => {
    world.start({ signingKeys: { get: () => Promise.reject(new Error('sealed with another key')) } });
    const receiver = await world.receiver();
    const webhookId = await world.subscribe(receiver.url());
    const message = world.newMessage(webhookId, await world.announce(), { attempt: 2 });
    await expectBuried(renderDeliveryMessage(message), world.produce(message));
    expect(await world.stateOf(message)).toMatchObject({ phase: 'due', attempt: 2 });
  });
});

describe('an announcement that the event store does not show', () => {
  let isShown: boolean;
  let aheadMs: number;

  /** Over a follower that lags, by a clock that a test may put forward. */
  async function deliverUnknown() {
    isShown = false;
    aheadMs = 0;
    const clock: Clock = { ...hurriedClock(), nowMs: () => systemClock.nowMs() + aheadMs };
    const read: EventStore['read'] = async (stream, options) => {
      const slice = await world.store.read(stream, options);
      return isShown ? slice : { ...slice, events: [] };
    };
    world.start({ clock, store: { ...world.store, read } });
    const delivery = await world.deliverTo();
    await eventually('it is known', async () => (await world.stateOf(delivery.message))?.phase === 'due');
    return delivery;
  }

  it('is waited for, and sent when it is there', async () => {
    const { receiver, webhookId, message } = await deliverUnknown();
    isShown = true;
    aheadMs = 60_000;
    await eventually('it is final', async () => (await world.stateOf(message))?.phase === 'final');
    await world.settled();
    expect(receiver.requests).toHaveLength(1);
    expect(await world.rowsOf(webhookId)).toMatchObject([{ attempt: 1, outcome: 'success' }]);
    expect(await world.deadLetters()).toEqual([]);
  });

  it('makes its message a dead letter after five minutes, and nothing is sent', async () => {
    const { receiver, message } = await deliverUnknown();
    aheadMs = 5 * 60_000;
    await eventually('it is buried', async () => (await world.deadLetters()).length === 1);
    await world.settled();
    const [letter] = await world.deadLetters();
    expect(JSON.parse(letter?.value ?? '')).toMatchObject({ eventId: message.eventId, attempt: 1 });
    expect(world.log.lines).toMatchObject([{ level: 'error' }]);
    expect(receiver.requests).toEqual([]);
    expect(await world.stateOf(message)).toMatchObject({ phase: 'due', attempt: 1 });
  });
});
