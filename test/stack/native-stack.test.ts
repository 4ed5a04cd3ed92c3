import { MongoClient } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { realServer } from '../spec/servers/real-servers.ts';
import { kafkaApiKeys } from './kafka-api-keys.ts';

const mongodbUrl = realServer('mongodb');
const kafkaBrokers = realServer('kafka');
const opensearchUrl = realServer('opensearch');

describe.skipIf(mongodbUrl === null)('mongodb', () => {
  it('is a replica set, and can be written to', async () => {
    const client = new MongoClient(mongodbUrl ?? '');
    try {
      const hello = await client.db('admin').command({ hello: 1 });
      expect(hello).toMatchObject({ setName: 'rs0', isWritablePrimary: true });
    } finally {
      await client.close();
    }
  });
});

describe.skipIf(kafkaBrokers === null)('kafka', () => {
  it('speaks the protocol, as every broker of the list', async () => {
    const [produce, fetch, createTopics] = [0, 1, 19];
    for (const broker of (kafkaBrokers ?? '').split(',')) {
      expect(await kafkaApiKeys(broker)).toEqual(expect.arrayContaining([produce, fetch, createTopics]));
    }
  });
});

describe.skipIf(opensearchUrl === null)('opensearch', () => {
  const ask = async (path: string): Promise<unknown> => {
    const response = await fetch(`${opensearchUrl}${path}`);
    expect(response.status).toBe(200);
    return response.json();
  };

  it('is healthy', async () => {
    const { status } = (await ask('/_cluster/health')) as { status: string };
    expect(['green', 'yellow']).toContain(status);
  });

  it('can search by vectors, and by words and vectors at once', async () => {
    const plugins = (await ask('/_cat/plugins?format=json')) as { component: string }[];
    expect(plugins.map(({ component }) => component)).toEqual(
      expect.arrayContaining(['opensearch-knn', 'opensearch-neural-search']),
    );
  });
});
