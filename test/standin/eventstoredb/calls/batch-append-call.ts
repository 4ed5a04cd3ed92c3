import type { handleBidiStreamingCall, ServerDuplexStream } from '@grpc/grpc-js';
import type { BatchAppendReq, BatchAppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { StandinParts } from '../standin-parts.ts';
import { bytesOf, type ProposedEvent } from '../log/stored-event.ts';
import type { ExpectedRevision } from '../log/commit-check.ts';
import { appendTooLarge, notReady } from '../grpc-failure.ts';
import { asFailure } from './append-calls.ts';
import { batchRefusal, batchResult, identifierOf } from './batch-append-message.ts';
import { readExpected, readProposed, streamNameOf } from './proposed-message.ts';
import { type AppendReply, takeIn } from './take-append.ts';

interface BatchCall {
  readonly call: ServerDuplexStream<BatchAppendReq, BatchAppendResp>;
  readonly begun: Map<string, Begun>;
  /** What comes after it was ended is lost. */
  isOver: boolean;
}

/** An append may come in several messages. */
interface Begun {
  readonly stream: string;
  readonly expected: ExpectedRevision;
  readonly events: ProposedEvent[];
  bytes: number;
}

/** BatchAppend: one long call for many appends, told apart by their correlation ids. */
export const batchAppendCall =
  (parts: StandinParts): handleBidiStreamingCall<BatchAppendReq, BatchAppendResp> =>
  (call) => {
    const end = parts.calls.begin('batchAppend', call);
    const batch: BatchCall = { call, begun: new Map(), isOver: false };
    const close = (): void => {
      batch.isOver = true;
    };
    const hangs = parts.faults.take('hang', 'batchAppend') !== undefined;
    call.on('data', (request: BatchAppendReq) => hangs || take(parts, batch, request));
    call.on('end', () => call.end());
    for (const event of ['cancelled', 'error', 'end']) call.on(event, close);
    call.on('finish', end);
  };

function take(parts: StandinParts, batch: BatchCall, request: BatchAppendReq): void {
  const { call, begun } = batch;
  if (batch.isOver) return;
  const id = request.getCorrelationId();
  const correlation = id?.getString() ?? '';
  let stream = begun.get(correlation)?.stream ?? '';
  const write = (response: BatchAppendResp): void => {
    if (!batch.isOver) call.write(response.setCorrelationId(id).setStreamIdentifier(identifierOf(stream)));
  };
  const reply: AppendReply = {
    done: (outcome, { expected }) => write(batchResult(outcome, stream, expected)),
    refuse: (failure) => write(batchRefusal(failure)),
    drop: (failure) => void call.emit('error', failure),
  };
  try {
    const append = gather(begun, correlation, request);
    if (!append) return;
    stream = append.stream;
    if (append.bytes > parts.appendBytesMax) {
      begun.delete(correlation);
      parts.calls.appendSeen();
      return reply.refuse(appendTooLarge(parts.appendBytesMax));
    }
    if (!request.getIsFinal()) return;
    begun.delete(correlation);
    parts.calls.appendSeen();
    if (parts.faults.take('not-ready')) return reply.refuse(notReady());
    const ending = parts.faults.take('end-batch-call');
    if (!ending) return takeIn(parts, call, () => append, reply);
    if (ending.commit) parts.log.append(append.stream, append.expected, append.events);
    batch.isOver = true;
    call.end();
  } catch (error) {
    begun.delete(correlation);
    reply.refuse(asFailure(error));
  }
}

function gather(begun: Map<string, Begun>, correlation: string, request: BatchAppendReq): Begun | undefined {
  const options = request.getOptions();
  if (options) {
    const expected = readExpected(options, options.hasStreamPosition() ? options.getStreamPosition() : undefined);
    begun.set(correlation, { stream: streamNameOf(options), expected, events: [], bytes: 0 });
  }
  const append = begun.get(correlation);
  for (const message of append ? request.getProposedMessagesList() : []) {
    const event = readProposed(message);
    append?.events.push(event);
    if (append) append.bytes += bytesOf(event);
  }
  return append;
}
