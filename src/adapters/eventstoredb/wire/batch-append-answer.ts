import statusPb from '@eventstore/db-client/generated/status_pb.js';
import type { Status } from '@eventstore/db-client/generated/status_pb.js';
import protobuf from 'protobufjs/minimal.js';
import { readNumber } from './read-number.ts';

/** The events are stored. */
export interface AppendSuccess {
  /** Of the last event, from 0. */
  readonly revision: number;
  /** Of the last event; undefined when the server does not tell it. One above 2^53 is rounded. */
  readonly position: number | undefined;
}

export interface BatchAppendAnswer {
  readonly correlationId: string;
  readonly result: AppendSuccess | Status | undefined;
}

type Reader = protobuf.Reader;

const uuidOfHex = (hex: string): string => hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');

/** Of `UUID.Structured`: two numbers of 64 bits, which the server tells for what it times out by itself. */
function structuredId(reader: Reader): string {
  const end = reader.uint32() + reader.pos;
  const bytes = Buffer.alloc(16);
  while (reader.pos < end) {
    const tag = reader.uint32();
    const field = tag >>> 3;
    if (field === 1 || field === 2) {
      const { low, high } = reader.int64();
      bytes.writeInt32BE(high, (field - 1) * 8);
      bytes.writeInt32BE(low, (field - 1) * 8 + 4);
    } else reader.skipType(tag & 7);
  }
  return uuidOfHex(bytes.toString('hex'));
}

function readId(reader: Reader): string {
  const end = reader.uint32() + reader.pos;
  let id = '';
  while (reader.pos < end) {
    const tag = reader.uint32();
    if (tag >>> 3 === 1) id = structuredId(reader);
    else if (tag >>> 3 === 2) id = reader.string();
    else reader.skipType(tag & 7);
  }
  return id;
}

/** Of `AllStreamPosition`. */
function commitPosition(reader: Reader): number {
  const end = reader.uint32() + reader.pos;
  let position = 0;
  while (reader.pos < end) {
    const tag = reader.uint32();
    if (tag >>> 3 === 1) position = readNumber(reader);
    else reader.skipType(tag & 7);
  }
  return position;
}

function readSuccess(reader: Reader): AppendSuccess {
  const end = reader.uint32() + reader.pos;
  let revision = 0;
  let position: number | undefined;
  while (reader.pos < end) {
    const tag = reader.uint32();
    if (tag >>> 3 === 1) revision = readNumber(reader);
    else if (tag >>> 3 === 3) position = commitPosition(reader);
    else reader.skipType(tag & 7);
  }
  return { revision, position };
}

/** Reads a `BatchAppendResp`. */
export function batchAppendAnswer(bytes: Buffer): BatchAppendAnswer {
  const reader = protobuf.Reader.create(bytes);
  let correlationId = '';
  let result: BatchAppendAnswer['result'];
  while (reader.pos < reader.len) {
    const tag = reader.uint32();
    const field = tag >>> 3;
    if (field === 1) correlationId = readId(reader);
    else if (field === 2) result = statusPb.Status.deserializeBinary(reader.bytes());
    else if (field === 3) result = readSuccess(reader);
    else reader.skipType(tag & 7);
  }
  return { correlationId, result };
}
