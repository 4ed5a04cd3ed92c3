import { EventStoreDBClient } from '@eventstore/db-client';
import { GossipClient } from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import sharedPb from '@eventstore/db-client/generated/shared_pb.js';
import { credentials } from '@grpc/grpc-js';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { collect, counted, numbersIn, plainPath } from '../../../standin/eventstoredb/standin-fixture.ts';
import { type Standin, startStandin } from '../../../standin/eventstoredb/standin-process.ts';

let standin: Standin;
let clients: EventStoreDBClient[] = [];
beforeAll(async () => {
  standin = await startStandin({ nodes: 3, commitTimeoutMs: 50 });
});
afterAll(() => standin.close());
beforeEach(() => standin.control({ command: 'reset' }));
afterEach(async () => {
  for (const client of clients) await client.dispose();
  clients = [];
});

const clientOf = (node: number): EventStoreDBClient => {
  const client = EventStoreDBClient.connectionString`esdb://127.0.0.1:${Number(standin.ports[node])}?tls=false`;
  clients.push(client);
  return client;
};
const append = (node: number, number: number, options: { requiresLeader?: boolean } = {}) =>
  clientOf(node).appendToStream('org-a', counted(number), { ...plainPath, ...options });
const numbersAt = async (node: number): Promise<number[]> =>
  numbersIn(await collect(clientOf(node).readStream('org-a')));
const leaderOf = (node: number) => ({ address: '127.0.0.1', port: standin.ports[node] });

const statesAt = (node: number): Promise<number[]> =>
  new Promise((resolve, reject) => {
    const gossip = new GossipClient(`127.0.0.1:${standin.ports[node]}`, credentials.createInsecure());
    gossip.read(new sharedPb.Empty(), (error, info) => {
      gossip.close();
      if (error) reject(error);
      else resolve(info.getMembersList().map((member) => member.getState()));
    });
  });
const [unknown, catchingUp, follower, leader] = [2, 4, 6, 8];

describe('EventStoreDB stand-in, a cluster of nodes', () => {
  test('tells who leads', async () => {
    for (const node of [0, 1, 2]) expect(await statesAt(node)).toEqual([leader, follower, follower]);
    await standin.control({ command: 'elect', node: 2, oldLags: true });
    expect(await statesAt(1)).toEqual([catchingUp, follower, leader]);
    await standin.control({ command: 'elect', node: null });
    expect(await statesAt(1)).toEqual([unknown, unknown, unknown]);
  });

  test('has the same events at each node, at the same positions', async () => {
    await append(0, 1);
    const positions = await Promise.all(
      [0, 1, 2].map(async (node) => (await collect(clientOf(node).readAll())).map(({ event }) => event?.position)),
    );
    expect(new Set(positions.map((each) => each.map((position) => position?.commit).join())).size).toBe(1);
  });

  test('sends to the leader who asks for it, and hands on an append of who does not', async () => {
    const refused = append(1, 1, { requiresLeader: true });
    await expect(refused).rejects.toMatchObject({ type: 'not-leader', leader: leaderOf(0) });
    const read = collect(clientOf(1).readStream('org-a', { requiresLeader: true }));
    await expect(read).rejects.toMatchObject({ type: 'not-leader', leader: leaderOf(0) });
    const erased = clientOf(1).deleteStream('org-a', { requiresLeader: true });
    await expect(erased).rejects.toMatchObject({ type: 'not-leader' });
    await append(1, 1);
    expect(await numbersAt(2)).toEqual([1]);
  });

  test('has an old leader that serves old events and hands nothing on until it has caught up', async () => {
    await append(0, 1);
    await standin.control({ command: 'elect', node: 1, oldLags: true });
    await append(2, 2);
    expect([await numbersAt(0), await numbersAt(1), await numbersAt(2)]).toEqual([[1], [1, 2], [1, 2]]);
    await expect(append(0, 3)).rejects.toMatchObject({ type: 'timeout' });
    await standin.control({ command: 'catch-up' });
    expect(await numbersAt(0)).toEqual([1, 2]);
    await append(0, 3);
    expect(await numbersAt(1)).toEqual([1, 2, 3]);
  });

  test('is not ready without a leader', async () => {
    await append(0, 1);
    await standin.control({ command: 'elect', node: null });
    await expect(append(0, 2, { requiresLeader: true })).rejects.toMatchObject({ type: 'unavailable' });
    await expect(append(0, 2)).rejects.toMatchObject({ type: 'timeout' });
    expect(await numbersAt(0)).toEqual([1]);
  });
});
