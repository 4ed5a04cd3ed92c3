import { randomBytes } from 'node:crypto';
import { Kafka, logLevel } from 'kafkajs';
import { systemIds } from '../../../src/adapters/system/ids.ts';
import { withDatabase } from '../mongodb.ts';
import { withStandin } from './standin.ts';

type Settings = Readonly<Record<string, string>>;

/** Back ends that the service runs with. */
export interface DeliveryMix {
  readonly name: string;
  /** Variables with the addresses of its servers. */
  readonly needs: readonly string[];
  readonly deliveriesPerSecondMin: number;
  /** From the kill of a process until deliveries go on. */
  readonly standstillSecondsMax: number;
  /** Calls the work with the settings that choose these back ends, which hold nothing before and after it. */
  readonly use: <Result>(work: (settings: Settings) => Promise<Result>) => Promise<Result>;
}

const kafkaVariable = 'KAFKA_BROKERS_FOR_TESTS';
const mongodbVariable = 'MONGODB_URL_FOR_TESTS';

/** What one process seals another opens, so with servers it is given. */
const secretKey = (): string => randomBytes(32).toString('hex');

async function removeTopics(brokers: string, prefix: string): Promise<void> {
  const admin = new Kafka({ brokers: brokers.split(','), logLevel: logLevel.NOTHING }).admin();
  await admin.connect();
  const topics = (await admin.listTopics()).filter((topic) => topic.startsWith(prefix));
  await admin.deleteTopics({ topics });
  await admin.disconnect();
}

const onKafka: DeliveryMix['use'] = async (work) => {
  const brokers = process.env[kafkaVariable]!;
  const prefix = `bench-${systemIds.commandId()}.`;
  try {
    return await work({ KAFKA_BROKERS: brokers, KAFKA_TOPIC_PREFIX: prefix });
  } finally {
    await removeTopics(brokers, prefix);
  }
};

const onMongodb: DeliveryMix['use'] = (work) =>
  withDatabase((url) => work({ MONGODB_URL: url, SECRET_KEY: secretKey() }));

const onStandin: DeliveryMix['use'] = (work) =>
  withStandin((url) => work({ EVENT_STORE_URL: url, SECRET_KEY: secretKey() }));

const both =
  (first: DeliveryMix['use'], second: DeliveryMix['use']): DeliveryMix['use'] =>
  (work) =>
    first((some) => second((more) => work({ ...some, ...more })));

const mixes: readonly DeliveryMix[] = [
  { name: 'embedded', needs: [], deliveriesPerSecondMin: 500, standstillSecondsMax: 15, use: (work) => work({}) },
  { name: 'Kafka', needs: [kafkaVariable], deliveriesPerSecondMin: 200, standstillSecondsMax: 25, use: onKafka },
  { name: 'MongoDB', needs: [mongodbVariable], deliveriesPerSecondMin: 200, standstillSecondsMax: 25, use: onMongodb },
  {
    name: 'MongoDB, Kafka',
    needs: [mongodbVariable, kafkaVariable],
    deliveriesPerSecondMin: 200,
    standstillSecondsMax: 25,
    use: both(onMongodb, onKafka),
  },
  {
    name: 'EventStoreDB stand-in, MongoDB, Kafka',
    needs: [mongodbVariable, kafkaVariable],
    deliveriesPerSecondMin: 200,
    standstillSecondsMax: 25,
    use: both(onStandin, both(onMongodb, onKafka)),
  },
];

/** Those whose servers there are; the others are named. */
export const deliveryMixes = (): DeliveryMix[] =>
  mixes.filter(({ name, needs }) => {
    const missing = needs.filter((variable) => !process.env[variable]);
    if (missing.length === 0) return true;
    console.error(`${name} is left out: ${missing.join(' and ')} not set.`);
    return false;
  });
