import { randomUUID } from 'node:crypto';
import sharedPb from '@eventstore/db-client/generated/shared_pb.js';
import streamsPb from '@eventstore/db-client/generated/streams_pb.js';
import { describe, expect, it } from 'vitest';
import { appendFailure } from '../../../src/adapters/eventstoredb/wire/append-failure.ts';
import { batchAppendAnswer } from '../../../src/adapters/eventstoredb/wire/batch-append-answer.ts';
import { batchAppendRequest } from '../../../src/adapters/eventstoredb/wire/batch-append-request.ts';
import { readAnswer } from '../../../src/adapters/eventstoredb/wire/read-answer.ts';
import {
  caughtUpMessage,
  checkpointMessage,
  confirmationMessage,
  eventMessage,
  notFoundMessage,
} from '../../standin/eventstoredb/calls/read-message.ts';
import { batchRefusal, batchResult } from '../../standin/eventstoredb/calls/batch-append-message.ts';
import { appendTooLarge, commitTimedOut, handlerThrew, notReady } from '../../standin/eventstoredb/grpc-failure.ts';

// What is read and written by hand, against the messages that were generated from the server's own description.

const bytesOf = (message: { serializeBinary(): Uint8Array }): Buffer => Buffer.from(message.serializeBinary());

const event = {
  id: randomUUID(),
  type: 'Said.v1',
  isJson: true,
  data: Buffer.from('{"text":"für 5 €"}'),
  metadata: Buffer.from('{"by":"test"}'),
  stream: 'org-ä',
  revision: 7n,
  position: 5_000_000_123n,
  createdMs: 1_700_000_000_000,
};

describe('answers to a read of EventStoreDB', () => {
  it('are events with all that is needed of them', () => {
    expect(readAnswer(bytesOf(eventMessage(event, true)))).toEqual({
      kind: 'event',
      id: event.id,
      type: 'Said.v1',
      stream: 'org-ä',
      revision: 7,
      position: 5_000_000_123,
      isJson: true,
      data: event.data,
      metadata: event.metadata,
    });
  });

  it('are events without text, of another content, at the first and the last place', () => {
    const bare = { ...event, isJson: false, data: Buffer.alloc(0), metadata: Buffer.alloc(0), revision: 0n };
    expect(readAnswer(bytesOf(eventMessage(bare, true)))).toMatchObject({
      isJson: false,
      revision: 0,
      data: Buffer.alloc(0),
      metadata: Buffer.alloc(0),
    });
    const far = { ...event, position: BigInt(Number.MAX_SAFE_INTEGER) };
    expect(readAnswer(bytesOf(eventMessage(far, true)))).toMatchObject({ position: Number.MAX_SAFE_INTEGER });
    const further = readAnswer(bytesOf(eventMessage({ ...event, position: 2n ** 63n - 1n }, true)));
    expect('position' in further && further.position).toBeGreaterThan(Number.MAX_SAFE_INTEGER);
  });

  it('are told apart', () => {
    const kindOf = (message: streamsPb.ReadResp) => readAnswer(bytesOf(message)).kind;
    expect(kindOf(confirmationMessage('a'))).toBe('confirmed');
    expect(kindOf(notFoundMessage('org-a'))).toBe('absent');
    expect(kindOf(caughtUpMessage())).toBe('other');
    expect(kindOf(checkpointMessage(5n))).toBe('other');
    expect(kindOf(new streamsPb.ReadResp().setEvent(new streamsPb.ReadResp.ReadEvent()))).toBe('other');
    expect(kindOf(new streamsPb.ReadResp())).toBe('other');
  });
});

describe('a batch append to EventStoreDB', () => {
  const said = { id: randomUUID(), type: 'Said.v1', data: '{"text":"für 5 €"}', metadata: '{"by":"test"}' };
  const heard = { id: randomUUID(), type: 'Heard.v1', data: '{}', metadata: '' };
  const sent = (expectedRevision: number | 'no_stream') => {
    const append = { stream: 'org-ä', events: [said, heard], expectedRevision };
    const { correlationId, bytes } = batchAppendRequest(append, 1_500);
    return { correlationId, request: streamsPb.BatchAppendReq.deserializeBinary(bytes) };
  };

  it('is one message with all events', () => {
    const { correlationId, request } = sent(4);
    expect(request.getCorrelationId()?.getString()).toBe(correlationId);
    expect(request.getIsFinal()).toBe(true);
    expect(Buffer.from(request.getOptions()!.getStreamIdentifier()!.getStreamName_asU8()).toString()).toBe('org-ä');
    const events = request.getProposedMessagesList().map((message) => ({
      id: message.getId()?.getString(),
      type: message.getMetadataMap().get('type'),
      data: Buffer.from(message.getData_asU8()).toString(),
      metadata: Buffer.from(message.getCustomMetadata_asU8()).toString(),
    }));
    expect(events).toEqual([said, heard]);
    for (const message of request.getProposedMessagesList())
      expect(message.getMetadataMap().get('content-type')).toBe('application/json');
  });

  it.each([0, 4, Number.MAX_SAFE_INTEGER])('expects the revision %i', (revision) => {
    const options = sent(revision).request.getOptions();
    expect(options?.hasStreamPosition()).toBe(true);
    expect(options?.getStreamPosition()).toBe(String(revision));
  });

  it('expects no stream', () => {
    const options = sent('no_stream').request.getOptions();
    expect(options?.hasNoStream()).toBe(true);
    expect(options?.hasStreamPosition()).toBe(false);
  });

  const id = randomUUID();
  const answered = (message: streamsPb.BatchAppendResp) =>
    batchAppendAnswer(bytesOf(message.setCorrelationId(new sharedPb.UUID().setString(id))));

  it('is answered with its place', () => {
    const stored = { outcome: 'appended', revision: 0n, position: 9_000_000_000n } as const;
    expect(answered(batchResult(stored, 'org-a', 'no_stream'))).toEqual({
      correlationId: id,
      result: { revision: 0, position: 9_000_000_000 },
    });
    expect(answered(batchResult({ ...stored, revision: 3n, position: undefined }, 'org-a', 2n)).result).toEqual({
      revision: 3,
      position: undefined,
    });
  });

  it('is known by its id also where the server tells it as two numbers', () => {
    const bits = Buffer.from(id.replaceAll('-', ''), 'hex');
    const structured = new sharedPb.UUID.Structured();
    structured.setMostSignificantBits(String(bits.readBigInt64BE(0)));
    structured.setLeastSignificantBits(String(bits.readBigInt64BE(8)));
    const message = new streamsPb.BatchAppendResp().setCorrelationId(new sharedPb.UUID().setStructured(structured));
    expect(batchAppendAnswer(bytesOf(message)).correlationId).toBe(id);
  });

  it.each([
    [batchResult({ outcome: 'wrong-version', current: 4n }, 'org-a', 2n), 'wrong-expected-version'],
    [batchResult({ outcome: 'deleted' }, 'org-a', 2n), 'stream-deleted'],
    [batchRefusal(commitTimedOut()), 'deadline-exceeded'],
    [batchRefusal(appendTooLarge(5)), 'maximum-append-size-exceeded'],
    [batchRefusal(notReady()), 'unavailable'],
    [batchRefusal(handlerThrew()), 'unknown'],
  ])('fails as a plain append does', (message, type) => {
    const { result } = answered(message);
    if (result === undefined || 'revision' in result) throw new Error('It has not failed.');
    expect(appendFailure(result, 'org-a')).toMatchObject({ type });
  });
});
