import { randomUUID } from 'node:crypto';
import protobuf from 'protobufjs/minimal.js';
import type { EncodedEvent } from '../../encode-append.ts';

type Writer = protobuf.Writer;

/** What is appended, and where the stream must be for it. */
export interface ProposedAppend {
  readonly stream: string;
  readonly events: readonly EncodedEvent[];
  /** The number of the last event, from 0. */
  readonly expectedRevision: number | 'no_stream';
}

const message = (field: number): number => (field << 3) | 2;
const varint = (field: number): number => field << 3;

/** Ids are told as text. */
const writeId = (writer: Writer, field: number, id: string): Writer =>
  writer.uint32(message(field)).fork().uint32(message(2)).string(id).ldelim();

const writeEntry = (writer: Writer, key: string, value: string): Writer =>
  writer.uint32(message(2)).fork().uint32(message(1)).string(key).uint32(message(2)).string(value).ldelim();

function writeEvent(writer: Writer, { id, type, data, metadata }: EncodedEvent): void {
  writer.uint32(message(3)).fork();
  writeId(writer, 1, id);
  writeEntry(writer, 'type', type);
  writeEntry(writer, 'content-type', 'application/json');
  if (metadata !== '') writer.uint32(message(3)).string(metadata);
  writer.uint32(message(4)).string(data).ldelim();
}

function writeOptions(writer: Writer, { stream, expectedRevision }: ProposedAppend, timeoutMs: number): void {
  writer.uint32(message(2)).fork();
  writer.uint32(message(1)).fork().uint32(message(3)).string(stream).ldelim();
  if (expectedRevision === 'no_stream') writer.uint32(message(3)).fork().ldelim();
  else writer.uint32(varint(2)).uint64(expectedRevision);
  // How long, not until when: the server's clock may be another.
  writer
    .uint32(message(7))
    .fork()
    .uint32(varint(1))
    .uint32(Math.ceil(timeoutMs / 1000))
    .ldelim();
  writer.ldelim();
}

export interface BatchAppendRequest {
  /** Its answer is known by it. */
  readonly correlationId: string;
  readonly bytes: Buffer;
}

/** A `BatchAppendReq` that holds the whole append. The texts are written as they are, which the client cannot do. */
export function batchAppendRequest(append: ProposedAppend, timeoutMs: number): BatchAppendRequest {
  const correlationId = randomUUID();
  const writer = protobuf.Writer.create();
  writeId(writer, 1, correlationId);
  writeOptions(writer, append, timeoutMs);
  for (const event of append.events) writeEvent(writer, event);
  writer.uint32(varint(4)).bool(true); // no more of it will come
  return { correlationId, bytes: writer.finish() as Buffer };
}
