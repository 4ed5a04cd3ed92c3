import { randomUUID } from 'node:crypto';
import { binaryEvent, type EventStoreDBClient, jsonEvent, NO_STREAM, STREAM_EXISTS } from '@eventstore/db-client';
import sharedPb from '@eventstore/db-client/generated/shared_pb.js';
import streamsPb from '@eventstore/db-client/generated/streams_pb.js';
import type { AppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  clientOf,
  collect,
  counted,
  newStreamName,
  numbersIn,
  plainPath,
  rawStreams,
} from '../../../standin/eventstoredb/standin-fixture.ts';
import { type Standin, startStandin } from '../../../standin/eventstoredb/standin-process.ts';

let standin: Standin;
let client: EventStoreDBClient;
beforeAll(async () => {
  standin = await startStandin();
});
afterAll(() => standin.close());
beforeEach(() => {
  client = clientOf(standin);
});
afterEach(() => client.dispose());

describe.each([
  { path: 'plain', options: plainPath },
  { path: 'batch', options: {} },
])('EventStoreDB stand-in, $path append', ({ path, options }) => {
  test('takes the path that the test means', async () => {
    await client.appendToStream(newStreamName(), counted(1), options);
    expect((await standin.stats()).openCalls.batchAppend).toBe(path === 'batch' ? 1 : 0);
  });

  test('stores all events of an append or none', async () => {
    const stream = newStreamName();
    const broken = { ...counted(2), id: 'not-a-uuid' };
    await expect(client.appendToStream(stream, [counted(1), broken], options)).rejects.toMatchObject({
      type: 'unknown',
    });
    await expect(collect(client.readStream(stream))).rejects.toMatchObject({ type: 'stream-not-found' });
    await client.appendToStream(stream, [counted(1), counted(2)], { expectedRevision: NO_STREAM, ...options });
    const late = [counted(3), counted(4)];
    await expect(client.appendToStream(stream, late, { expectedRevision: 0n, ...options })).rejects.toMatchObject({
      type: 'wrong-expected-version',
    });
    expect(numbersIn(await collect(client.readStream(stream)))).toEqual([1, 2]);
  });

  test('answers a repeat at an exact revision as the first time, also after later events', async () => {
    const stream = newStreamName();
    const [first, second] = [
      [counted(1), counted(2)],
      [counted(3), counted(4)],
    ];
    const asNew = await client.appendToStream(stream, first, { expectedRevision: NO_STREAM, ...options });
    const asNext = await client.appendToStream(stream, second, { expectedRevision: 1n, ...options });
    await client.appendToStream(stream, counted(5), { expectedRevision: 3n, ...options });
    expect(asNew).toMatchObject({ success: true, nextExpectedRevision: 1n });
    expect(await client.appendToStream(stream, first, { expectedRevision: NO_STREAM, ...options })).toEqual(asNew);
    expect(await client.appendToStream(stream, second, { expectedRevision: 1n, ...options })).toEqual(asNext);
    expect(numbersIn(await collect(client.readStream(stream)))).toEqual([1, 2, 3, 4, 5]);
  });

  test('refuses a repeat that matches in part', async () => {
    const stream = newStreamName();
    const first = [counted(1), counted(2)];
    await client.appendToStream(stream, first, { expectedRevision: NO_STREAM, ...options });
    const longer = client.appendToStream(stream, [...first, counted(3)], { expectedRevision: NO_STREAM, ...options });
    await expect(longer).rejects.toMatchObject({ type: 'wrong-expected-version', actualVersion: 1n });
    const other = client.appendToStream(stream, [first[0]!, counted(3)], { expectedRevision: NO_STREAM, ...options });
    await expect(other).rejects.toMatchObject({ type: 'wrong-expected-version' });
  });

  test('takes the same id in another stream for another event', async () => {
    const [one, other] = [newStreamName(), newStreamName()];
    const event = counted(1);
    const inOne = await client.appendToStream(one, event, { expectedRevision: NO_STREAM, ...options });
    const inOther = await client.appendToStream(other, event, { expectedRevision: NO_STREAM, ...options });
    expect(inOther.position?.commit).toBeGreaterThan(inOne.position?.commit ?? 0n);
    expect(numbersIn(await collect(client.readStream(other)))).toEqual([1]);
  });

  test('names the actual revision of a conflict', async () => {
    const stream = newStreamName();
    const ahead = client.appendToStream(stream, counted(1), { expectedRevision: 4n, ...options });
    await expect(ahead).rejects.toMatchObject({ expectedVersion: 4n, actualVersion: 'no_stream' });
    const absent = client.appendToStream(stream, counted(1), { expectedRevision: STREAM_EXISTS, ...options });
    await expect(absent).rejects.toMatchObject({ expectedVersion: 'stream_exists', actualVersion: 'no_stream' });
    await client.appendToStream(stream, [counted(1), counted(2)], options);
    const taken = client.appendToStream(stream, counted(3), { expectedRevision: NO_STREAM, ...options });
    await expect(taken).rejects.toMatchObject({ expectedVersion: 'no_stream', actualVersion: 1n });
  });

  test('remembers ids for a while when no revision is expected', async () => {
    const stream = newStreamName();
    const event = counted(1);
    const first = await client.appendToStream(stream, event, options);
    expect(await client.appendToStream(stream, event, options)).toEqual(first);
    expect(numbersIn(await collect(client.readStream(stream)))).toEqual([1]);
    const others = Array.from({ length: 50 }, () =>
      client.appendToStream(
        newStreamName(),
        Array.from({ length: 100 }, () => counted(0)),
        options,
      ),
    );
    await Promise.all(others);
    await client.appendToStream(stream, event, options);
    expect(numbersIn(await collect(client.readStream(stream)))).toEqual([1, 1]);
  });

  test('refuses more than 1 MiB in one append', async () => {
    const stream = newStreamName();
    const halves = (bytes: number) =>
      Array.from({ length: 2 }, () => binaryEvent({ type: 'Big.v1', data: new Uint8Array(bytes) }));
    await expect(client.appendToStream(stream, halves(512 * 1024), options)).rejects.toMatchObject({
      type: 'maximum-append-size-exceeded',
      maxAppendSize: 1024 * 1024,
    });
    expect(await client.appendToStream(stream, halves(512 * 1024 - 12), options)).toMatchObject({ success: true });
  });

  test('keeps data, metadata, content type and the time', async () => {
    const stream = newStreamName();
    const startMs = Date.now();
    const json = jsonEvent({ type: 'Said.v1', data: { text: 'für 5 €' }, metadata: { by: 'test' } });
    const bytes = binaryEvent({ type: 'Sent.v1', data: Uint8Array.of(0, 255, 10) });
    await client.appendToStream(stream, [json, bytes], options);
    const [said, sent] = (await collect(client.readStream(stream))).map(({ event }) => event);
    expect(said).toMatchObject({ streamId: stream, id: json.id, type: 'Said.v1', isJson: true, data: json.data });
    expect(said).toMatchObject({ metadata: { by: 'test' }, revision: 0n });
    expect(sent).toMatchObject({ id: bytes.id, isJson: false, metadata: undefined, revision: 1n });
    expect([...(sent?.data as Uint8Array)]).toEqual([0, 255, 10]);
    expect(said?.created.getTime()).toBeGreaterThanOrEqual(startMs);
    expect(said?.created.getTime()).toBeLessThanOrEqual(Date.now());
  });
});

describe('EventStoreDB stand-in, on the wire', () => {
  const append = (stream: string, id: string, metadata: Record<string, string>): Promise<AppendResp> =>
    new Promise((resolve, reject) => {
      const call = rawStreams(standin).append((error, response) => (error ? reject(error) : resolve(response)));
      const name = new sharedPb.StreamIdentifier().setStreamName(Buffer.from(stream));
      const options = new streamsPb.AppendReq.Options().setStreamIdentifier(name).setNoStream(new sharedPb.Empty());
      call.write(new streamsPb.AppendReq().setOptions(options));
      const message = new streamsPb.AppendReq.ProposedMessage().setId(new sharedPb.UUID().setString(id));
      for (const [key, value] of Object.entries(metadata)) message.getMetadataMap().set(key, value);
      call.write(new streamsPb.AppendReq().setProposedMessage(message));
      call.end();
    });
  const complete = { type: 'T', 'content-type': 'application/json' };

  test('a conflict is a result of Append, not a failure', async () => {
    const stream = newStreamName();
    expect((await append(stream, randomUUID(), complete)).hasSuccess()).toBe(true);
    const wrong = (await append(stream, randomUUID(), complete)).getWrongExpectedVersion();
    expect(wrong?.getCurrentRevision()).toBe('0');
    expect(wrong?.hasExpectedNoStream()).toBe(true);
  });

  test('commit and prepare position are one', async () => {
    const position = (await append(newStreamName(), randomUUID(), complete)).getSuccess()?.getPosition();
    expect(position?.getCommitPosition()).toBe(position?.getPreparePosition());
  });

  test('an event needs a type, a content type and a UUID', async () => {
    await expect(append(newStreamName(), randomUUID(), { type: 'T' })).rejects.toMatchObject({ code: 3 });
    await expect(append(newStreamName(), randomUUID(), { 'content-type': 'application/json' })).rejects.toMatchObject({
      code: 3,
    });
    await expect(append(newStreamName(), '123', complete)).rejects.toMatchObject({ code: 2 });
  });
});
