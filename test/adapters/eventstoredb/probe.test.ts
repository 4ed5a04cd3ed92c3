import { afterEach, describe, expect, it } from 'vitest';
import { createEventStoreDbProbe, type EventStoreDbProbe } from '../../../src/adapters/eventstoredb/probe.ts';
import { systemRandom } from '../../../src/adapters/system/random.ts';
import { BackendUnavailable } from '../../../src/kernel/backend-unavailable.ts';
import { startStandin } from '../../standin/eventstoredb/standin-process.ts';
import { useStandin } from './use-standin.ts';

const { standin, control } = useStandin();

let probes: EventStoreDbProbe[] = [];
afterEach(async () => {
  await Promise.all(probes.map((probe) => probe.close()));
  probes = [];
});
const open = (url = standin().url): EventStoreDbProbe => {
  const probe = createEventStoreDbProbe({ url, random: systemRandom, timeoutMs: 1000 });
  probes.push(probe);
  return probe;
};

describe('EventStoreDB stand-in, probe', () => {
  it('tells the version of the server, if that does', async () => {
    expect(await open().reach()).toEqual({ serverVersion: '23.10.1' });
    await control({ fault: 'features-fail', status: 'UNIMPLEMENTED' });
    expect(await open().reach()).toEqual({ serverVersion: null });
  });

  it.each(['features', 'read'] as const)('gives up when the server never answers (%s)', async (method) => {
    await control({ fault: 'hang', method });
    await expect(open().reach()).rejects.toThrow(BackendUnavailable);
  });

  it('names a server that is not there', async () => {
    await expect(open('esdb://127.0.0.1:1?tls=false').reach()).rejects.toThrow(BackendUnavailable);
    await expect(open('esdb://127.0.0.1:1?tls=false').appendLimitOk()).rejects.toThrow(BackendUnavailable);
  });

  it('finds out whether large appends are taken, and stores nothing', async () => {
    const strict = await startStandin({ appendBytesMax: 500_000 });
    for (const server of [standin(), strict]) {
      const { eventsStored } = await server.stats();
      const probe = open(server.url);
      expect(await probe.appendLimitOk()).toBe(server !== strict);
      await probe.close();
      expect((await server.stats()).eventsStored).toBe(eventsStored);
    }
    await strict.close();
  });
});
