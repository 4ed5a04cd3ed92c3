import protobuf from 'protobufjs/minimal.js';
import { readNumber } from './read-number.ts';

/** An event as the server sends it; its text is left as bytes until somebody asks for it. */
export interface ServerEvent {
  readonly kind: 'event';
  readonly id: string;
  readonly type: string;
  readonly stream: string;
  /** From 0. */
  readonly revision: number;
  /** Of its commit; one above 2^53 is rounded, and `positionOf` refuses it. */
  readonly position: number;
  readonly isJson: boolean;
  readonly data: Buffer;
  readonly metadata: Buffer;
}

/** What comes in answer to a read or a subscription. `other`: what no reader of ours needs. */
export type ReadAnswer = ServerEvent | { readonly kind: 'confirmed' | 'absent' | 'other' };

type Reader = protobuf.Reader;

const none: Buffer = Buffer.alloc(0);

/** The text in one field of the message that comes next. */
function textIn(reader: Reader, field: number): string {
  const end = reader.uint32() + reader.pos;
  let text = '';
  while (reader.pos < end) {
    const tag = reader.uint32();
    if (tag >>> 3 === field) text = reader.string();
    else reader.skipType(tag & 7);
  }
  return text;
}

function entryOf(reader: Reader): { readonly key: string; readonly value: string } {
  const end = reader.uint32() + reader.pos;
  let key = '';
  let value = '';
  while (reader.pos < end) {
    const tag = reader.uint32();
    if (tag >>> 3 === 1) key = reader.string();
    else if (tag >>> 3 === 2) value = reader.string();
    else reader.skipType(tag & 7);
  }
  return { key, value };
}

/** Of `ReadResp.ReadEvent.RecordedEvent`. */
function recordedEvent(reader: Reader): ServerEvent {
  const end = reader.uint32() + reader.pos;
  let [id, stream, type, contentType] = ['', '', '', ''];
  let [revision, position] = [0, 0];
  let data = none;
  let metadata = none;
  while (reader.pos < end) {
    const tag = reader.uint32();
    const field = tag >>> 3;
    if (field === 1) id = textIn(reader, 2);
    else if (field === 2) stream = textIn(reader, 3);
    else if (field === 3) revision = readNumber(reader);
    else if (field === 5) position = readNumber(reader);
    else if (field === 6) {
      const { key, value } = entryOf(reader);
      if (key === 'type') type = value;
      else if (key === 'content-type') contentType = value;
    } else if (field === 7) metadata = reader.bytes() as Buffer;
    else if (field === 8) data = reader.bytes() as Buffer;
    else reader.skipType(tag & 7);
  }
  const isJson = contentType === 'application/json';
  return { kind: 'event', id, type, stream, revision, position, isJson, data, metadata };
}

/** Of `ReadResp.ReadEvent`; a link whose event is gone has none. */
function readEvent(reader: Reader): ReadAnswer {
  const end = reader.uint32() + reader.pos;
  let event: ReadAnswer = { kind: 'other' };
  while (reader.pos < end) {
    const tag = reader.uint32();
    if (tag >>> 3 === 1) event = recordedEvent(reader);
    else reader.skipType(tag & 7);
  }
  return event;
}

/**
 * Reads a `ReadResp`. The client's own reading makes an object of each field and parses the text, which takes
 * several times as long as all else that is done with most events.
 */
export function readAnswer(bytes: Buffer): ReadAnswer {
  const reader = protobuf.Reader.create(bytes);
  while (reader.pos < reader.len) {
    const tag = reader.uint32();
    const field = tag >>> 3;
    if (field === 1) return readEvent(reader);
    if (field === 2) return { kind: 'confirmed' };
    if (field === 4) return { kind: 'absent' };
    reader.skipType(tag & 7);
  }
  return { kind: 'other' };
}
