import { afterEach, beforeEach, expect, it } from 'vitest';
import { type DeliveryState, newDelivery } from '../../../src/delivery/delivery-state.ts';
import { retryDelays } from '../../../src/delivery/retry-delays.ts';
import { deadLettersTopic, delivererGroup, deliveriesTopic } from '../../../src/delivery/topics.ts';
import { derivedId } from '../../../src/kernel/ids.ts';
import { createDeliveryOutlet } from '../../../src/runtime/deliverer/delivery-outlet.ts';
import { deliveryChange } from '../../../src/records/delivery/delivery-documents.ts';
import { deliveryTopics } from '../../../src/runtime/deliverer/delivery-topics.ts';
import { startSweeper } from '../../../src/runtime/deliverer/sweeper.ts';
import type { MinuteJob } from '../../../src/runtime/jobs/every-minute.ts';
import { eventually } from '../../spec/eventually.ts';
import { createFakeClock, type FakeClock } from '../../spec/fake-clock.ts';
import { type DeliveryWorld, openDeliveryWorld } from './delivery-world.ts';

const minuteMs = 60_000;
let world: DeliveryWorld;
let clock: FakeClock;
let sweepers: MinuteJob[];
let runs: number;

beforeEach(async () => {
  world = await openDeliveryWorld();
  clock = createFakeClock(Date.now());
  sweepers = [];
  runs = 0;
});
afterEach(async () => {
  for (const sweeper of sweepers) await sweeper.close();
  await world.close();
});

const start = (holder = 'a'): void => {
  const { bus, ops, log, collections } = world;
  const sweeper = startSweeper({
    ops,
    bus,
    deliveries: collections.deliveries,
    outlet: createDeliveryOutlet({ bus, topics: deliveryTopics(retryDelays(['50ms'])), clock }),
    // A look has ended when it sleeps.
    clock: { ...clock, sleep: (ms, signal) => ((runs += 1), clock.sleep(ms, signal)) },
    log,
    holder,
  });
  sweepers.push(sweeper);
};

const nextLook = async (): Promise<void> => {
  const before = runs;
  clock.advance(minuteMs);
  await eventually('it has looked', () => runs > before);
};

const write = async (count: number, over: Partial<DeliveryState>): Promise<DeliveryState[]> => {
  const made = Array.from({ length: count }, (_, index) => {
    const name = JSON.stringify([index, over]);
    const ids = { eventId: derivedId('evt', name), webhookId: derivedId('whk', name) };
    const given = { ...ids, releaseId: derivedId('rel', name), nowMs: clock.nowMs() };
    return { ...newDelivery(given).document, ...over };
  });
  await world.ops.transact(made.map((document) => deliveryChange(document, 0)));
  return made;
};

const produced = async (): Promise<string[]> => (await world.messagesOn(deliveriesTopic)).map(({ key }) => key).sort();
const keysOf = (documents: readonly DeliveryState[]): string[] => documents.map(({ webhookId }) => webhookId).sort();

it('produces again what is due or being sent and long overdue, and nothing else', async () => {
  const nowMs = clock.nowMs();
  const overdueMs = nowMs - 10 * minuteMs;
  const overdue = [
    ...(await write(1, { notBeforeMs: overdueMs })),
    ...(await write(1, { phase: 'sending', notBeforeMs: overdueMs - minuteMs, leaseUntilMs: overdueMs })),
  ];
  await write(1, { notBeforeMs: overdueMs + 1 });
  await write(1, { phase: 'sending', notBeforeMs: overdueMs - minuteMs, leaseUntilMs: overdueMs + 1 });
  await write(1, { phase: 'final', notBeforeMs: overdueMs - minuteMs });
  start();
  await eventually('it has looked', () => runs > 0);
  expect(await produced()).toEqual(keysOf(overdue));
  expect(world.log.lines).toMatchObject([{ level: 'warn' }]);
});

it('finds them all, however many there are', async () => {
  const overdue = await write(450, { notBeforeMs: clock.nowMs() - 11 * minuteMs });
  start();
  await eventually('it has looked', () => runs > 0);
  expect(await produced()).toEqual(keysOf(overdue));
});

it('gives what it has produced as much time again', async () => {
  await write(1, { notBeforeMs: clock.nowMs() - 11 * minuteMs });
  start();
  await eventually('it has looked', () => runs > 0);
  for (let minute = 1; minute < 10; minute += 1) await nextLook();
  expect(await produced()).toHaveLength(1);
  await nextLook();
  expect(await produced()).toHaveLength(2);
});

it('produces nothing into a partition whose queue is long, and says so once', async () => {
  const overdue = await write(30, { notBeforeMs: clock.nowMs() - 11 * minuteMs });
  const partitions = await world.bus.partitionsOf(deliveriesTopic, keysOf(overdue));
  const [hung, crowded] = [keysOf(overdue)[0]!, partitions[0]!];
  const others = keysOf(overdue).filter((_, index) => partitions[index] !== crowded);
  expect(others).not.toEqual([]);
  const fillers = Array.from({ length: 1_001 }, () => ({ key: hung, value: '{}' }));
  await world.bus.produce(deliveriesTopic, fillers);
  const withoutFillers = async () => (await produced()).filter((key) => key !== hung);
  start();
  await eventually('it has looked', () => runs > 0);
  await nextLook();
  expect(await withoutFillers()).toEqual(others);
  expect(await produced()).toHaveLength(fillers.length + others.length);
  expect(world.log.lines.filter(({ level }) => level === 'info')).toMatchObject([
    { sentence: expect.stringContaining('queue') as string },
  ]);

  const consumer = world.bus.consume({
    group: delivererGroup,
    topics: [deliveriesTopic],
    concurrency: 100,
    handle: async () => {},
    deadLetterTopic: deadLettersTopic,
  });
  await eventually('the queue is empty', async () => (await world.waitingOn(deliveriesTopic)) === 0);
  await consumer.close();
  await nextLook();
  expect(await withoutFillers()).toEqual(keysOf(overdue).filter((key) => key !== hung));
  expect(await produced()).toHaveLength(fillers.length + overdue.length);
});

it('leaves it to the process that does it already', async () => {
  await world.ops.leases.acquire('delivery-sweeper', 'another', 3_600_000);
  await write(1, { notBeforeMs: clock.nowMs() - 11 * minuteMs });
  start();
  await eventually('it has looked', () => runs > 0);
  expect(await produced()).toEqual([]);
});

it('carries overdue deliveries on when a deliverer starts', async () => {
  const receiver = await world.receiver();
  const webhookId = await world.subscribe(receiver.url());
  const nowMs = Date.now() - 11 * minuteMs;
  const { document, message } = newDelivery({ ...(await world.announce()), webhookId, nowMs });
  const crashed: DeliveryState = { ...document, phase: 'sending', leaseUntilMs: nowMs + 1 };
  await world.ops.transact([deliveryChange(crashed, 0)]);
  world.start();
  await eventually('it is final', async () => (await world.stateOf(message))?.phase === 'final');
  expect(receiver.requests).toHaveLength(1);
});
