import { NO_STREAM, STREAM_EXISTS } from '@eventstore/db-client';
import { describe, expect, test } from 'vitest';
import { collect, counted, numbersIn, plainPath, scavenge } from '../../../standin/eventstoredb/standin-fixture.ts';
import { client, standin, stream, useFreshStream } from './fresh-stream.ts';

useFreshStream({ holding: [1, 2, 3] });

const readNumbers = async (): Promise<number[]> => numbersIn(await collect(client.readStream(stream)));
const allNumbers = async (): Promise<number[]> => numbersIn(await collect(client.readAll()));

describe('EventStoreDB stand-in, soft delete', () => {
  test('a deleted stream is not found, its events stay in $all', async () => {
    const { position } = await client.deleteStream(stream, { expectedRevision: 2n });
    await expect(readNumbers()).rejects.toMatchObject({ type: 'stream-not-found', streamName: stream });
    expect(await allNumbers()).toEqual([1, 2, 3]);
    const last = (await collect(client.readAll({ direction: 'backwards', fromPosition: 'end', maxCount: 1 })))[0];
    expect(last?.event).toMatchObject({ streamId: `$$${stream}`, type: '$metadata', position });
  });

  test('numbering goes on, and a new stream may be expected', async () => {
    await client.deleteStream(stream);
    const again = await client.appendToStream(stream, counted(4), { expectedRevision: NO_STREAM, ...plainPath });
    expect(again.nextExpectedRevision).toBe(3n);
    expect(await readNumbers()).toEqual([4]);
    await client.appendToStream(stream, counted(5), { expectedRevision: 3n, ...plainPath });
    expect(await readNumbers()).toEqual([4, 5]);
    expect(await allNumbers()).toEqual([1, 2, 3, 4, 5]);
  });

  test('a deleted stream does not count as existing', async () => {
    await client.deleteStream(stream);
    const append = client.appendToStream(stream, counted(4), { expectedRevision: STREAM_EXISTS, ...plainPath });
    await expect(append).rejects.toMatchObject({ type: 'stream-deleted', streamName: stream });
  });

  test('a conflict comes in trailers', async () => {
    await expect(client.deleteStream(stream, { expectedRevision: 1n })).rejects.toMatchObject({
      type: 'wrong-expected-version',
      streamName: stream,
      expectedVersion: 1n,
      actualVersion: 2n,
    });
    await expect(client.deleteStream('test-never', { expectedRevision: 7n })).rejects.toMatchObject({
      actualVersion: -1n,
    });
  });
});

describe('EventStoreDB stand-in, tombstone', () => {
  test('the stream is gone for good', async () => {
    await client.tombstoneStream(stream);
    await expect(readNumbers()).rejects.toMatchObject({ type: 'stream-deleted', streamName: stream });
    await expect(client.appendToStream(stream, counted(4), plainPath)).rejects.toMatchObject({
      type: 'stream-deleted',
    });
    await expect(client.setStreamMetadata(stream, {})).rejects.toMatchObject({ type: 'stream-deleted' });
    await expect(client.deleteStream(stream)).rejects.toMatchObject({ type: 'stream-deleted' });
    expect(await allNumbers()).toEqual([1, 2, 3]);
  });
});

describe('EventStoreDB stand-in, truncation', () => {
  test('hides events below $tb from the stream only', async () => {
    await client.setStreamMetadata(stream, { truncateBefore: 2 });
    expect(await readNumbers()).toEqual([3]);
    expect(await allNumbers()).toEqual([1, 2, 3]);
    expect(
      numbersIn(await collect(client.readStream(stream, { direction: 'backwards', fromRevision: 'end' }))),
    ).toEqual([3]);
    expect((await client.getStreamMetadata(stream)).metadata).toEqual({ truncateBefore: 2 });
  });

  test('a stream truncated to its end is empty, not absent, and goes on', async () => {
    await client.setStreamMetadata(stream, { truncateBefore: 3 });
    expect(await readNumbers()).toEqual([]);
    const refused = client.appendToStream(stream, counted(4), { expectedRevision: NO_STREAM, ...plainPath });
    await expect(refused).rejects.toMatchObject({ type: 'wrong-expected-version', actualVersion: 2n });
    await client.appendToStream(stream, counted(4), { expectedRevision: 2n, ...plainPath });
    expect(await readNumbers()).toEqual([4]);
  });

  test('a repeat of truncated events still succeeds, without a position', async () => {
    const events = [counted(4), counted(5)];
    await client.appendToStream(stream, events, { expectedRevision: 2n, ...plainPath });
    await client.setStreamMetadata(stream, { truncateBefore: 5 });
    const repeat = await client.appendToStream(stream, events, { expectedRevision: 2n, ...plainPath });
    expect(repeat).toEqual({ success: true, nextExpectedRevision: 4n, position: undefined });
  });

  test('metadata show their last version only', async () => {
    await client.setStreamMetadata(stream, { truncateBefore: 1 });
    await client.setStreamMetadata(stream, { truncateBefore: 2 });
    const shown = await collect(client.readStream(`$$${stream}`));
    expect(shown.map(({ event }) => event?.revision)).toEqual([1n]);
  });
});

describe('EventStoreDB stand-in, scavenge', () => {
  test('takes truncated events out of $all', async () => {
    await client.setStreamMetadata(stream, { truncateBefore: 2 });
    await scavenge(standin);
    expect(await allNumbers()).toEqual([3]);
    expect(await readNumbers()).toEqual([3]);
    expect((await standin.stats()).scavenges).toBe(1);
  });

  test('keeps the last event of a stream, so that numbering survives', async () => {
    await client.deleteStream(stream);
    await scavenge(standin);
    expect(await allNumbers()).toEqual([3]);
    const again = await client.appendToStream(stream, counted(4), { expectedRevision: NO_STREAM, ...plainPath });
    expect(again.nextExpectedRevision).toBe(3n);
  });

  test('leaves nothing but the tombstone of a dead stream', async () => {
    await client.tombstoneStream(stream);
    await scavenge(standin);
    expect(await allNumbers()).toEqual([]);
  });

  test('positions of events that are gone can still be read from', async () => {
    const [first] = await collect(client.readStream(stream));
    await client.setStreamMetadata(stream, { truncateBefore: 2 });
    await scavenge(standin);
    const fromPosition = first?.event?.position ?? { commit: 0n, prepare: 0n };
    expect(numbersIn(await collect(client.readAll({ fromPosition })))).toEqual([3]);
  });
});
