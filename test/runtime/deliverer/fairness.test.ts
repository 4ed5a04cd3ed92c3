import { afterEach, beforeEach, expect, it } from 'vitest';
import { renderDeliveryMessage } from '../../../src/delivery/message.ts';
import { eventually } from '../../spec/eventually.ts';
import { type DeliveryWorld, openDeliveryWorld } from './delivery-world.ts';

let world: DeliveryWorld;
beforeEach(async () => {
  world = await openDeliveryWorld(['50ms', '2m', '1h']);
});
afterEach(() => world.close());

const messagesTo = async (webhookId: string, count: number) => {
  const messages = [];
  for (let made = 0; made < count; made += 1) messages.push(world.newMessage(webhookId, await world.announce()));
  return messages;
};

it('sends ten at once to one subscription, and never more', async () => {
  const answers: (() => void)[] = [];
  const receiver = await world.receiver(({ response }) => {
    answers.push(() => void response.writeHead(200).end());
    return null;
  });
  const webhookId = await world.subscribe(receiver.url());
  await world.produce(...(await messagesTo(webhookId, 25)));
  world.start();
  for (let left = 25; left > 0; left -= 1) {
    await eventually('as many are open as may be', () => answers.length === Math.min(10, left));
    answers.shift()?.();
  }
  await world.settled();
  expect(receiver.requests).toHaveLength(25);
  expect(receiver.atOnceMax()).toBe(10);
});

it('serves the others while a receiver hangs', async () => {
  const hanging = await world.receiver(() => null);
  const receiver = await world.receiver();
  const stuck = await world.subscribe(hanging.url());
  const others = [];
  for (let made = 0; made < 8; made += 1) others.push(await world.subscribe(receiver.url()));
  await world.produce(...(await messagesTo(stuck, 30)));
  for (const webhookId of others) await world.produce(...(await messagesTo(webhookId, 5)));
  world.start();
  await eventually('all of the others have theirs', () => receiver.requests.length === 40);
  await eventually('as many hang as may', () => hanging.requests.length === 10);
  await hanging.close();
});

it('lets a message that is far from due wait on the topic that holds it longest', async () => {
  const receiver = await world.receiver();
  const [message] = await messagesTo(await world.subscribe(receiver.url()), 1);
  const far = { ...message!, notBefore: Date.now() + 180_000 };
  await world.bus.produce('webhooks.retry.50ms', [{ key: far.webhookId, value: renderDeliveryMessage(far) }]);
  world.start();
  await eventually('it is moved', async () => (await world.waitingOn('webhooks.retry.2m')) === 1);
  await eventually('it is finished where it was', async () => (await world.waitingOn('webhooks.retry.50ms')) === 0);
  expect(receiver.requests).toEqual([]);
});
