import { type handleClientStreamingCall, type ServiceError, status } from '@grpc/grpc-js';
import sharedPb from '@eventstore/db-client/generated/shared_pb.js';
import streamsPb from '@eventstore/db-client/generated/streams_pb.js';
import type { AppendReq, AppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { ExpectedRevision } from '../log/commit-check.ts';
import type { AppendOutcome } from '../log/event-log.ts';
import { faultStatus } from '../faults.ts';
import { appendTooLarge, grpcFailure, handlerThrew, streamDeleted } from '../grpc-failure.ts';
import { readExpected, readProposed, streamNameOf } from './proposed-message.ts';
import type { StandinParts } from '../standin-parts.ts';
import { bytesOf, type ProposedEvent } from '../log/stored-event.ts';

interface AppendRequest {
  readonly stream: string;
  readonly expected: ExpectedRevision;
  readonly events: readonly ProposedEvent[];
}

/** Append: one call, one stream, all events or none. */
export const appendCall =
  (parts: StandinParts): handleClientStreamingCall<AppendReq, AppendResp> =>
  (call, callback) => {
    const { log, faults, calls, appendBytesMax } = parts;
    const end = calls.begin('append', call);
    const answer = (error: ServiceError | null, response?: AppendResp): void => {
      end();
      callback(error, response);
    };
    const messages: AppendReq[] = [];
    let bytes = 0;
    let refused = false;
    call.on('data', (message: AppendReq) => {
      messages.push(message);
      bytes += message.getProposedMessage()?.getData_asU8().length ?? 0;
      if (bytes <= appendBytesMax || refused) return;
      refused = true;
      calls.appendSeen();
      answer(appendTooLarge(appendBytesMax));
    });
    const commit = (): void => {
      if (refused || call.cancelled) return;
      calls.appendSeen();
      if (faults.take('hang', 'append')) return;
      try {
        const before = faults.take('drop-before-commit', 'append');
        if (before) return before.status ? answer(faultStatus(before.status)) : calls.cut(call);
        const request = readRequest(messages, appendBytesMax);
        const outcome = log.append(request.stream, request.expected, request.events);
        const after = faults.take('commit-then-drop', 'append');
        if (after) return after.status ? answer(faultStatus(after.status)) : calls.cut(call);
        if (outcome.outcome === 'deleted') return answer(streamDeleted(request.stream));
        return answer(null, response(outcome, request.expected));
      } catch (error) {
        return answer(asFailure(error));
      }
    };
    // A connection that dies in the middle of a request ends its stream too, and only then tells that it was cancelled.
    call.on('end', () => setImmediate(commit));
  };

function readRequest([first, ...rest]: readonly AppendReq[], bytesMax: number): AppendRequest {
  const options = first?.getOptions();
  if (!options) throw handlerThrew();
  const expected = readExpected(options, options.hasRevision() ? options.getRevision() : undefined);
  let bytes = 0;
  const events = rest.map((message) => {
    const proposed = message.getProposedMessage();
    if (!proposed) throw handlerThrew();
    const event = readProposed(proposed);
    bytes += bytesOf(event);
    if (bytes > bytesMax) throw appendTooLarge(bytesMax);
    return event;
  });
  return { stream: streamNameOf(options), expected, events };
}

function response(outcome: Exclude<AppendOutcome, { outcome: 'deleted' }>, expected: ExpectedRevision): AppendResp {
  const empty = new sharedPb.Empty();
  if (outcome.outcome === 'wrong-version') {
    const wrong = new streamsPb.AppendResp.WrongExpectedVersion();
    if (outcome.current < 0n) wrong.setCurrentNoStream(empty);
    else wrong.setCurrentRevision(String(outcome.current));
    if (expected === 'any') wrong.setExpectedAny(empty);
    else if (expected === 'stream_exists') wrong.setExpectedStreamExists(empty);
    else if (expected === 'no_stream') wrong.setExpectedNoStream(empty);
    else wrong.setExpectedRevision(String(expected));
    return new streamsPb.AppendResp().setWrongExpectedVersion(wrong);
  }
  const success = new streamsPb.AppendResp.Success();
  if (outcome.revision < 0n) success.setNoStream(empty);
  else success.setCurrentRevision(String(outcome.revision));
  if (outcome.position === undefined) return new streamsPb.AppendResp().setSuccess(success.setNoPosition(empty));
  const position = new streamsPb.AppendResp.Position();
  position.setCommitPosition(String(outcome.position));
  position.setPreparePosition(String(outcome.position));
  return new streamsPb.AppendResp().setSuccess(success.setPosition(position));
}

/** A refusal is answered as such; anything else is a defect of the stand-in and says so. */
export function asFailure(error: unknown): ServiceError {
  if (error instanceof Error && 'code' in error && 'metadata' in error) return error as ServiceError;
  return grpcFailure(status.INTERNAL, `EventStoreDB stand-in: ${error instanceof Error ? error.stack : String(error)}`);
}
