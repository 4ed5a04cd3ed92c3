import type { handleBidiStreamingCall, ServerDuplexStream } from '@grpc/grpc-js';
import codePb from '@eventstore/db-client/generated/code_pb.js';
import sharedPb from '@eventstore/db-client/generated/shared_pb.js';
import statusPb from '@eventstore/db-client/generated/status_pb.js';
import type { Status } from '@eventstore/db-client/generated/status_pb.js';
import streamsPb from '@eventstore/db-client/generated/streams_pb.js';
import type { BatchAppendReq, BatchAppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import anyPb from 'google-protobuf/google/protobuf/any_pb.js';
import emptyPb from 'google-protobuf/google/protobuf/empty_pb.js';
import type { ExpectedRevision } from './commit-check.ts';
import type { AppendOutcome } from './event-log.ts';
import { faultStatus } from './faults.ts';
import { readExpected, readProposed, streamNameOf } from './proposed-message.ts';
import type { StandinParts } from './standin-parts.ts';
import { bytesOf, type ProposedEvent } from './stored-event.ts';

interface PendingAppend {
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
    const pending = new Map<string, PendingAppend>();
    call.on('data', (request: BatchAppendReq) => handle(parts, call, pending, request));
    call.on('end', () => call.end());
    call.on('finish', end);
  };

function handle(
  parts: StandinParts,
  call: ServerDuplexStream<BatchAppendReq, BatchAppendResp>,
  pending: Map<string, PendingAppend>,
  request: BatchAppendReq,
): void {
  if (call.writableEnded) return; // a fault has ended the stream; what came after it is lost
  const correlation = request.getCorrelationId()?.getString() ?? '';
  const reply = (stream: string, fill: (response: BatchAppendResp) => unknown): void => {
    const response = new streamsPb.BatchAppendResp();
    response.setCorrelationId(request.getCorrelationId());
    response.setStreamIdentifier(new sharedPb.StreamIdentifier().setStreamName(Buffer.from(stream)));
    fill(response);
    call.write(response);
  };
  let stream = pending.get(correlation)?.stream ?? '';
  try {
    const options = request.getOptions();
    if (options) {
      stream = streamNameOf(options);
      const deadlineMs = options.getDeadline()?.toDate().getTime();
      if (deadlineMs !== undefined && deadlineMs <= parts.nowMs()) {
        return reply(stream, (response) =>
          response.setError(failed(codePb.Code.DEADLINE_EXCEEDED, 'Timeout', new sharedPb.Timeout())),
        );
      }
      const expected = readExpected(options, options.hasStreamPosition() ? options.getStreamPosition() : undefined);
      pending.set(correlation, { stream, expected, events: [], bytes: 0 });
    }
    const append = pending.get(correlation);
    if (!append) return;
    for (const message of request.getProposedMessagesList()) {
      const event = readProposed(message);
      append.events.push(event);
      append.bytes += bytesOf(event);
    }
    if (append.bytes > parts.appendBytesMax) {
      pending.delete(correlation);
      parts.calls.appendSeen();
      const tooLarge = new sharedPb.MaximumAppendSizeExceeded().setMaxappendsize(parts.appendBytesMax);
      return reply(stream, (response) =>
        response.setError(failed(codePb.Code.INVALID_ARGUMENT, 'MaximumAppendSizeExceeded', tooLarge)),
      );
    }
    if (!request.getIsFinal()) return;
    pending.delete(correlation);
    parts.calls.appendSeen();
    const outcome = commitUnlessFaulty(parts, call, append);
    if (outcome) reply(stream, (response) => fillIn(response, outcome, append));
  } catch (error) {
    pending.delete(correlation);
    const refused = new sharedPb.BadRequest().setMessage(error instanceof Error ? error.message : String(error));
    reply(stream, (response) => response.setError(failed(codePb.Code.INVALID_ARGUMENT, 'BadRequest', refused)));
  }
}

/** Nothing when a fault took the answer away. */
function commitUnlessFaulty(
  { log, faults, calls }: StandinParts,
  call: ServerDuplexStream<BatchAppendReq, BatchAppendResp>,
  { stream, expected, events }: PendingAppend,
): AppendOutcome | undefined {
  if (faults.take('hang', 'batchAppend')) return undefined;
  const before = faults.take('drop-before-commit', 'batchAppend');
  const ended = before ? undefined : faults.take('end-batch-stream-ok');
  const outcome = before || (ended && !ended.commit) ? undefined : log.append(stream, expected, events);
  const dropped = before ?? (ended ? undefined : faults.take('commit-then-drop', 'batchAppend'));
  if (ended) call.end();
  else if (dropped?.status) call.emit('error', faultStatus(dropped.status));
  else if (dropped) calls.cut(call);
  return ended || dropped ? undefined : outcome;
}

function fillIn(response: BatchAppendResp, outcome: AppendOutcome, { stream, expected }: PendingAppend): void {
  const empty = new emptyPb.Empty();
  if (outcome.outcome === 'deleted') {
    const deleted = new sharedPb.StreamDeleted();
    deleted.setStreamIdentifier(new sharedPb.StreamIdentifier().setStreamName(Buffer.from(stream)));
    response.setError(failed(codePb.Code.FAILED_PRECONDITION, 'StreamDeleted', deleted));
    return;
  }
  if (outcome.outcome === 'wrong-version') {
    const wrong = new sharedPb.WrongExpectedVersion();
    if (outcome.current < 0n) wrong.setCurrentNoStream(empty);
    else wrong.setCurrentStreamRevision(String(outcome.current));
    if (expected === 'any') wrong.setExpectedAny(empty);
    else if (expected === 'stream_exists') wrong.setExpectedStreamExists(empty);
    else if (expected === 'no_stream') wrong.setExpectedNoStream(empty);
    else wrong.setExpectedStreamPosition(String(expected));
    response.setError(failed(codePb.Code.FAILED_PRECONDITION, 'WrongExpectedVersion', wrong));
    return;
  }
  const success = new streamsPb.BatchAppendResp.Success();
  if (outcome.revision < 0n) success.setNoStream(empty);
  else success.setCurrentRevision(String(outcome.revision));
  const position = new sharedPb.AllStreamPosition();
  position.setCommitPosition(String(outcome.position)).setPreparePosition(String(outcome.position));
  response.setSuccess(outcome.position === undefined ? success.setNoPosition(empty) : success.setPosition(position));
}

function failed(code: number, type: string, details: { serializeBinary(): Uint8Array }): Status {
  const any = new anyPb.Any();
  any.pack(details.serializeBinary(), `event_store.client.${type}`);
  return new statusPb.Status().setCode(code).setMessage(type).setDetails(any);
}
