import { type Position, type ReadAllOptions } from '@eventstore/db-client';
import sharedPb from '@eventstore/db-client/generated/shared_pb.js';
import streamsPb from '@eventstore/db-client/generated/streams_pb.js';
import { describe, expect, test } from 'vitest';
import {
  clientOf,
  collect,
  counted,
  newStreamName,
  numbersIn,
  rawRead,
} from '../../../standin/eventstoredb/standin-fixture.ts';
import { startStandin } from '../../../standin/eventstoredb/standin-process.ts';
import { client, standin, stream, useFreshStream } from './fresh-stream.ts';

useFreshStream({ holding: [1, 2, 3, 4] });

const positionOf = async (n: number): Promise<Position> => {
  const found = (await collect(client.readStream(stream)))[n - 1]?.event?.position;
  if (!found) throw new Error(`no event ${n}`);
  return found;
};

describe('EventStoreDB stand-in, reading a stream', () => {
  const cases = [
    { options: {}, numbers: [1, 2, 3, 4] },
    { options: { fromRevision: 1n }, numbers: [2, 3, 4] },
    { options: { fromRevision: 1n, maxCount: 2 }, numbers: [2, 3] },
    { options: { fromRevision: 9n }, numbers: [] },
    { options: { fromRevision: 'end' }, numbers: [] },
    { options: { direction: 'backwards', fromRevision: 'end' }, numbers: [4, 3, 2, 1] },
    { options: { direction: 'backwards', fromRevision: 2n }, numbers: [3, 2, 1] },
    { options: { direction: 'backwards', fromRevision: 9n, maxCount: 1 }, numbers: [4] },
    { options: { direction: 'backwards', fromRevision: 'start' }, numbers: [1] },
  ] as const;
  test.each(cases)('from a revision inclusive: $options', async ({ options, numbers }) => {
    expect(numbersIn(await collect(client.readStream(stream, options)))).toEqual(numbers);
  });

  test('a stream that never was is not found', async () => {
    await expect(collect(client.readStream('test-never'))).rejects.toMatchObject({
      type: 'stream-not-found',
      streamName: 'test-never',
    });
  });

  test('a client that asks for it hears of the first and the last revision', async () => {
    await client.setStreamMetadata(stream, { truncateBefore: 4 });
    const request = (compatibility: number) => {
      const name = new sharedPb.StreamIdentifier().setStreamName(Buffer.from(stream));
      const from = new streamsPb.ReadReq.Options.StreamOptions()
        .setStreamIdentifier(name)
        .setStart(new sharedPb.Empty());
      const options = new streamsPb.ReadReq.Options()
        .setStream(from)
        .setCount('10')
        .setNoFilter(new sharedPb.Empty())
        .setUuidOption(new streamsPb.ReadReq.Options.UUIDOption().setStructured(new sharedPb.Empty()))
        .setControlOption(new streamsPb.ReadReq.Options.ControlOption().setCompatibility(compatibility));
      return new streamsPb.ReadReq().setOptions(options);
    };
    expect(await rawRead(standin, request(0))).toEqual([]);
    const [first, last, ...rest] = await rawRead(standin, request(1));
    expect(first?.getFirstStreamPosition()).toBe('4');
    expect(last?.getLastStreamPosition()).toBe('3');
    expect(rest).toEqual([]);
  });
});

describe('EventStoreDB stand-in, reading $all', () => {
  const numbersFrom = async (options: ReadAllOptions): Promise<number[]> =>
    numbersIn(await collect(client.readAll(options)));

  test('forwards from a position inclusive, backwards exclusive', async () => {
    const fromPosition = await positionOf(3);
    expect(await numbersFrom({ fromPosition })).toEqual([3, 4]);
    expect(await numbersFrom({ fromPosition, maxCount: 1 })).toEqual([3]);
    expect(await numbersFrom({ direction: 'backwards', fromPosition })).toEqual([2, 1]);
    expect(await numbersFrom({ direction: 'backwards', fromPosition: 'end' })).toEqual([4, 3, 2, 1]);
    expect(await numbersFrom({ direction: 'backwards', fromPosition: 'start' })).toEqual([]);
    expect(await numbersFrom({ fromPosition: 'end' })).toEqual([]);
  });

  test('a position in the middle of an event is refused, one behind the end has nothing', async () => {
    const { commit } = await positionOf(3);
    const inside = { commit: commit + 1n, prepare: commit + 1n };
    await expect(numbersFrom({ fromPosition: inside })).rejects.toMatchObject({ code: 3 });
    const behind = { commit: commit + 100_000n, prepare: commit + 100_000n };
    expect(await numbersFrom({ fromPosition: behind })).toEqual([]);
  });

  test('positions grow by sparse, uneven steps from above 0', async () => {
    const events = (await collect(client.readAll())).map(({ event }) => event);
    const commits = events.map((event) => event?.position?.commit ?? 0n);
    expect(events.every((event) => event?.position?.commit === event?.position?.prepare)).toBe(true);
    const steps = commits.slice(1).map((commit, index) => commit - (commits[index] ?? 0n));
    expect(commits[0]).toBeGreaterThan(2n);
    expect(steps.every((step) => step > 90n)).toBe(true);
    expect(new Set(steps).size).toBeGreaterThan(2);
  });

  test('system events and metadata stand in it', async () => {
    await client.setStreamMetadata(stream, { truncateBefore: 1 });
    await standin.control({ command: 'write-system-event' });
    const types = (await collect(client.readAll())).map(({ event }) => event?.type);
    expect(types.slice(0, 2)).toEqual(['$metadata', '$statsCollected']);
    expect(types.slice(-2)).toEqual(['$metadata', '$statsCollected']);
  });

  test('positions above 2^53 come whole', async () => {
    const large = await startStandin({ startPosition: 2n ** 53n + 1n });
    const itsClient = clientOf(large);
    const { position } = await itsClient.appendToStream(newStreamName(), counted(1));
    expect(position?.commit).toBeGreaterThan(2n ** 53n);
    const [event] = await collect(itsClient.readAll({ ...(position && { fromPosition: position }) }));
    expect(event?.event?.position).toEqual(position);
    await itsClient.dispose();
    await large.close();
  });
});
