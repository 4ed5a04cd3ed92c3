import { randomUUID } from 'node:crypto';
import { Kafka, logLevel } from 'kafkajs';
import { MongoClient } from 'mongodb';
import type { BackendSettings } from '../../../src/config/backend-settings.ts';
import { type Standin, startStandin } from '../../standin/eventstoredb/standin-process.ts';
import { createTempFolder } from '../temp-folder.ts';

/** Empty stores of one test: embedded in a folder of its own, or the servers that are named. */
export interface TestBackends {
  readonly settings: BackendSettings;
  /** The same as environment variables, for processes. */
  readonly environment: Readonly<Record<string, string>>;
  /** Where the events are on an EventStoreDB. */
  readonly standin: Standin | null;
  readonly close: () => Promise<void>;
}

export type ServerName = 'eventstoredb' | 'mongodb' | 'kafka';

/** The address of a database of its own on the server that the environment names. */
export function mongoDatabaseUrl(): string {
  const server = process.env['MONGODB_URL_FOR_TESTS'];
  if (server === undefined) throw new Error('MONGODB_URL_FOR_TESTS is not set');
  const url = new URL(server);
  url.pathname = `/test-${randomUUID()}`;
  return url.href;
}

export async function dropMongoDatabase(url: string): Promise<void> {
  const client = new MongoClient(url);
  await client.db().dropDatabase();
  await client.close();
}

/** The brokers that the environment names, with topics of its own. */
function kafkaSettings() {
  const kafkaBrokers = process.env['KAFKA_BROKERS_FOR_TESTS'];
  if (kafkaBrokers === undefined) throw new Error('KAFKA_BROKERS_FOR_TESTS is not set');
  return { kafkaBrokers, topicPrefix: `test-${randomUUID()}.` };
}

async function dropTopics({ kafkaBrokers, topicPrefix }: ReturnType<typeof kafkaSettings>): Promise<void> {
  const admin = new Kafka({ brokers: [kafkaBrokers], logLevel: logLevel.NOTHING }).admin();
  await admin.connect();
  const topics = (await admin.listTopics()).filter((name) => name.startsWith(topicPrefix));
  if (topics.length > 0) await admin.deleteTopics({ topics });
  await admin.disconnect();
}

/** The project of a test says which servers it runs on: see vitest.config.ts. */
export const namedServers = (): ServerName[] =>
  (process.env['TEST_BACKENDS'] ?? '').split(',').filter((name) => name !== '') as ServerName[];

export async function openTestBackends(servers: readonly ServerName[] = namedServers()): Promise<TestBackends> {
  const folder = createTempFolder();
  const standin = servers.includes('eventstoredb') ? await startStandin() : null;
  const mongodbUrl = servers.includes('mongodb') ? mongoDatabaseUrl() : undefined;
  const kafka = servers.includes('kafka') ? kafkaSettings() : undefined;
  return {
    settings: { dataDir: folder.path, eventStoreUrl: standin?.url, mongodbUrl, ...kafka },
    environment: {
      ...(standin && { EVENT_STORE_URL: standin.url }),
      ...(mongodbUrl !== undefined && { MONGODB_URL: mongodbUrl }),
      ...(kafka && { KAFKA_BROKERS: kafka.kafkaBrokers, KAFKA_TOPIC_PREFIX: kafka.topicPrefix }),
      ...((standin || mongodbUrl !== undefined) && { SECRET_KEY: '07'.repeat(32) }),
    },
    standin,
    close: async () => {
      await standin?.close();
      if (mongodbUrl !== undefined) await dropMongoDatabase(mongodbUrl);
      if (kafka !== undefined) await dropTopics(kafka);
      folder.remove();
    },
  };
}
