import { afterEach, beforeEach, expect, it } from 'vitest';
import { eventually } from '../../spec/eventually.ts';
import { type DeliveryWorld, openDeliveryWorld } from './delivery-world.ts';

let world: DeliveryWorld;
beforeEach(async () => {
  world = await openDeliveryWorld();
});
afterEach(() => world.close());

const isFinal = async (message: Parameters<DeliveryWorld['stateOf']>[0]) =>
  (await world.stateOf(message))?.phase === 'final';

it('disables the subscription of a receiver that says it is gone, and tells of it', async () => {
  world.start();
  const { webhookId } = await world.deliverTo(() => ({ status: 410 }));
  await eventually('it is disabled', () => world.disabled.length > 0);
  await world.settled();
  expect(world.disabled).toEqual([webhookId]);
  expect(await world.rowsOf(webhookId)).toMatchObject([
    { outcome: 'perm_fail', errorCode: 'gone', httpStatus: 410 },
    { outcome: 'auto_disabled', errorCode: 'gone', httpStatus: 0, latencyMs: 0, attempt: 1, failed: 1 },
  ]);
  expect(await world.healthOf(webhookId)).toMatchObject({ consecutiveFailures: 1 });
});

it('tells of it once, however many deliveries end so at the same time', async () => {
  const answers: (() => void)[] = [];
  const { webhookId } = await world.deliverTo(({ response }) => {
    answers.push(() => void response.writeHead(410).end());
    return null;
  });
  for (let made = 0; made < 4; made += 1) await world.produce(world.newMessage(webhookId, await world.announce()));
  world.start();
  await eventually('all are sent', () => answers.length === 5);
  for (const answer of answers) answer();
  await world.settled();
  expect(world.disabled).toHaveLength(5);
  const outcomes = (await world.rowsOf(webhookId)).map(({ outcome }) => outcome);
  expect(outcomes.sort()).toEqual(['auto_disabled', ...Array<string>(5).fill('perm_fail')]);
});

it('tells of no disabling when the subscription was deleted or switched off meanwhile', async () => {
  world.start({ disable: async () => null });
  const { webhookId, message } = await world.deliverTo(() => ({ status: 410 }));
  await eventually('it is final', () => isFinal(message));
  await world.settled();
  expect(await world.rowsOf(webhookId)).toMatchObject([{ outcome: 'perm_fail' }]);
});

it('ends a delivery even when its subscription cannot be disabled', async () => {
  world.start({ disable: () => Promise.reject(new Error('refused')) });
  const { receiver, message } = await world.deliverTo(() => ({ status: 410 }));
  await eventually('it is told', () => world.log.lines.some(({ level }) => level === 'error'));
  await world.settled();
  expect(receiver.requests).toHaveLength(1);
  expect(await world.stateOf(message)).toMatchObject({ phase: 'final', outcome: 'perm_fail' });
  expect(await world.deadLetters()).toEqual([]);
});

it('disables it when the message comes again after a crash that was quicker', async () => {
  const crashing = world.start({ disable: () => Promise.reject(new Error('killed')) });
  const { receiver, webhookId, message } = await world.deliverTo(() => ({ status: 410 }));
  await eventually('it is final', () => isFinal(message));
  await crashing.close();
  expect(world.disabled).toEqual([]);

  await world.produce(message);
  world.start();
  await eventually('it is disabled', () => world.disabled.length > 0);
  await world.settled();
  expect(world.disabled).toEqual([webhookId]);
  expect(await world.rowsOf(webhookId)).toMatchObject([{ outcome: 'perm_fail' }, { outcome: 'auto_disabled' }]);
  expect(receiver.requests).toHaveLength(1);
});
