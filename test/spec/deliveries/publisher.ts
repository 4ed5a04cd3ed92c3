import type { PatientClient } from './patient-client.ts';

export interface Subscribed {
  readonly id: string;
  /** Where its receiver gets it. */
  readonly path: string;
  readonly key: Buffer;
}

/** An org with one source, and everything about it that was acknowledged. */
export interface Publisher {
  /** Sends releases in one call; their ids. */
  readonly release: (count: number) => Promise<string[]>;
  readonly subscribe: (url: string) => Promise<Subscribed>;
  readonly releaseIds: readonly string[];
  readonly subscriptions: readonly Subscribed[];
}

export async function createPublisher(client: PatientClient, name: string): Promise<Publisher> {
  const { id: orgId } = await client.post<{ id: string }>('/v1/orgs', { name });
  const address = `https://${name}.example/changelog`;
  const { id: sourceId } = await client.post<{ id: string }>('/v1/sources', { name, url: address, orgId });
  const releaseIds: string[] = [];
  const subscriptions: Subscribed[] = [];
  let versions = 0;
  return {
    releaseIds,
    subscriptions,
    release: async (count) => {
      const releases = Array.from({ length: count }, () => {
        versions += 1;
        return { title: `${name} ${versions}`, version: `${versions}.0.0`, content: `- added thing ${versions}` };
      });
      const path = `/v1/sources/${sourceId}/releases/batch`;
      const { insertedIds } = await client.post<{ insertedIds: string[] }>(path, { releases });
      if (insertedIds.length !== count) throw new Error(`${insertedIds.length} of ${count} releases are new`);
      releaseIds.push(...insertedIds);
      return insertedIds;
    },
    subscribe: async (url) => {
      const { id, signingKey } = await client.post<{ id: string; signingKey: string }>('/v1/webhooks', { url, orgId });
      const subscribed = { id, path: new URL(url).pathname, key: Buffer.from(signingKey, 'hex') };
      subscriptions.push(subscribed);
      return subscribed;
    },
  };
}
