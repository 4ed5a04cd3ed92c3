import { randomUUID } from 'node:crypto';
import { MongoClient } from 'mongodb';
import type { BackendSettings } from '../../src/compose-stores.ts';
import { startStandin } from '../standin/eventstoredb/standin-process.ts';
import { createTempFolder } from './temp-folder.ts';

/** Empty stores of one test: embedded in a folder of its own, or the servers that are named. */
export interface TestBackends {
  readonly settings: BackendSettings;
  /** The same as environment variables, for processes. */
  readonly environment: Readonly<Record<string, string>>;
  readonly close: () => Promise<void>;
}

export type ServerName = 'eventstoredb' | 'mongodb';

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

/** The project of a test says which servers it runs on: see vitest.config.ts. */
const namedServers = (): ServerName[] =>
  (process.env['TEST_BACKENDS'] ?? '').split(',').filter((name) => name !== '') as ServerName[];

export async function openTestBackends(servers: readonly ServerName[] = namedServers()): Promise<TestBackends> {
  const folder = createTempFolder();
  const standin = servers.includes('eventstoredb') ? await startStandin() : null;
  const mongodbUrl = servers.includes('mongodb') ? mongoDatabaseUrl() : undefined;
  return {
    settings: { dataDir: folder.path, eventStoreUrl: standin?.url, mongodbUrl },
    environment: {
      ...(standin && { EVENT_STORE_URL: standin.url }),
      ...(mongodbUrl !== undefined && { MONGODB_URL: mongodbUrl }),
      ...((standin || mongodbUrl !== undefined) && { SECRET_KEY: '07'.repeat(32) }),
    },
    close: async () => {
      await standin?.close();
      if (mongodbUrl !== undefined) await dropMongoDatabase(mongodbUrl);
      folder.remove();
    },
  };
}
