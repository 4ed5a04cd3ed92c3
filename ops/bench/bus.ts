import { Kafka, logLevel } from 'kafkajs';
import { createEmbeddedMessageBus } from '../../src/adapters/embedded/message-bus/message-bus.ts';
import { createKafkaMessageBus } from '../../src/adapters/kafka/message-bus.ts';
import { systemClock } from '../../src/adapters/system/clock.ts';
import { systemIds } from '../../src/adapters/system/ids.ts';
import type { BusMessage, MessageBus } from '../../src/ports/message-bus.ts';
import { failBench, inBenchFolder, secondsSince } from './worlds/bench-folder.ts';
import type { Figure } from './bench-report.ts';

const messageCount = 200_000;
const batchSize = 200;
const producersAtOnce = 4;
const keyCount = 1_000;
const latencyRounds = 300;

const retentionMs = 3_600_000;
/** Of one run: what another left behind does not count. */
const run = systemIds.commandId();
const flowTopic = `bench.flow.${run}`;
const singleTopic = `bench.single.${run}`;
const deadLetterTopic = `bench.dlq.${run}`;
const topics = [
  { name: flowTopic, partitions: 6, retentionMs },
  { name: singleTopic, partitions: 1, retentionMs },
  { name: deadLetterTopic, partitions: 1, retentionMs },
];

/** About what the delivery of a webhook is handed over with. */
const smallMessage = (number: number): BusMessage => ({
  key: `sub_${number % keyCount}`,
  value: JSON.stringify({ eventId: `evt_${number}`, subscriptionId: `sub_${number % keyCount}`, run: 1, attempt: 1 }),
});

const batchAt = (first: number): BusMessage[] =>
  Array.from({ length: batchSize }, (_, index) => smallMessage(first + index));

async function produceAll(bus: MessageBus, batches: BusMessage[][]): Promise<void> {
  const producer = async () => {
    for (let batch = batches.pop(); batch !== undefined; batch = batches.pop()) await bus.produce(flowTopic, batch);
  };
  await Promise.all(Array.from({ length: producersAtOnce }, producer));
}

/** Produced and handled at the same time, from the first call until the last message is finished. */
async function flow(bus: MessageBus): Promise<number> {
  const batches = Array.from({ length: messageCount / batchSize }, (_, number) => batchAt(number * batchSize));
  let handled = 0;
  let finish = (): void => {};
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const consumer = bus.consume({
    group: 'bench',
    topics: [flowTopic],
    concurrency: 256,
    deadLetterTopic,
    handle: async () => {
      handled += 1;
      if (handled === messageCount) finish();
    },
  });
  const startedMs = performance.now();
  await Promise.all([produceAll(bus, batches), Promise.race([finished, consumer.done])]);
  const perSecond = messageCount / secondsSince(startedMs);
  await consumer.close();
  return perSecond;
}

/** From the call of `produce` to the call of the handler, one message at a time, sorted. */
async function latencies(bus: MessageBus): Promise<number[]> {
  let arrived = (): void => {};
  const consumer = bus.consume({
    group: 'bench',
    topics: [singleTopic],
    concurrency: 1,
    deadLetterTopic,
    handle: async () => arrived(),
  });
  const took: number[] = [];
  const oneRound = async (number: number) => {
    const handled = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    const startedMs = performance.now();
    await bus.produce(singleTopic, [smallMessage(number)]);
    await handled;
    return performance.now() - startedMs;
  };
  await oneRound(0); // joins the group
  for (let round = 1; round <= latencyRounds; round += 1) took.push(await oneRound(round));
  await consumer.close();
  return took.sort((a, b) => a - b);
}

async function figuresOf(name: string, bus: MessageBus, atLeast: number): Promise<Figure[]> {
  await bus.ensureTopics(topics);
  const perSecond = await flow(bus);
  const took = await latencies(bus);
  const at = (part: number) => took[Math.floor(took.length * part)]!;
  return [
    {
      metric: `${name}: produced and consumed, batches of ${batchSize}`,
      value: perSecond,
      unit: 'messages/s',
      atLeast,
    },
    { metric: `${name}: produced to handled, p50`, value: at(0.5), unit: 'ms' },
    { metric: `${name}: produced to handled, p99`, value: at(0.99), unit: 'ms' },
  ];
}

const embeddedFigures = (): Promise<Figure[]> =>
  inBenchFolder(async (folder) => {
    const bus = await createEmbeddedMessageBus({ folder, clock: systemClock, onFatal: failBench });
    try {
      return await figuresOf('embedded', bus, 20_000);
    } finally {
      await bus.close();
    }
  });

async function kafkaFigures(): Promise<Figure[]> {
  const brokers = process.env['KAFKA_BROKERS_FOR_TESTS'];
  if (!brokers) {
    console.error('Kafka is left out: KAFKA_BROKERS_FOR_TESTS is not set.');
    return [];
  }
  const bus = await createKafkaMessageBus({ brokers, clock: systemClock });
  try {
    return await figuresOf('Kafka', bus, 10_000);
  } finally {
    await bus.close();
    await removeKafkaTopics(brokers);
  }
}

async function removeKafkaTopics(brokers: string): Promise<void> {
  const admin = new Kafka({ brokers: brokers.split(','), logLevel: logLevel.NOTHING }).admin();
  await admin.connect();
  await admin.deleteTopics({ topics: topics.map(({ name }) => name) });
  await admin.disconnect();
}

/** How many small messages go through the bus, and how soon one arrives. */
export const runBus = async (): Promise<Figure[]> => [...(await embeddedFigures()), ...(await kafkaFigures())];
