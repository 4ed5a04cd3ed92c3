import { type ServiceError, status } from '@grpc/grpc-js';
import sharedPb from '@eventstore/db-client/generated/shared_pb.js';
import statusPb from '@eventstore/db-client/generated/status_pb.js';
import streamsPb from '@eventstore/db-client/generated/streams_pb.js';
import type { BatchAppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import anyPb from 'google-protobuf/google/protobuf/any_pb.js';
import emptyPb from 'google-protobuf/google/protobuf/empty_pb.js';
import type { ExpectedRevision } from '../log/commit-check.ts';
import type { AppendOutcome } from '../log/event-log.ts';

const empty = new emptyPb.Empty();

interface Message {
  readonly serializeBinary: () => Uint8Array;
}

/** The server tells why by the type of the details. */
function failed(code: status, text: string, type: string, details: Message): BatchAppendResp {
  const any = new anyPb.Any();
  any.pack(details.serializeBinary(), type);
  const failure = new statusPb.Status()
    .setCode(code as number)
    .setMessage(text)
    .setDetails(any);
  return new streamsPb.BatchAppendResp().setError(failure);
}

const ownFailed = (code: status, type: string, details: Message): BatchAppendResp =>
  failed(code, type, `event_store.client.${type}`, details);

export const identifierOf = (stream: string) => new sharedPb.StreamIdentifier().setStreamName(Buffer.from(stream));

export function batchResult(outcome: AppendOutcome, stream: string, expected: ExpectedRevision): BatchAppendResp {
  if (outcome.outcome === 'deleted') {
    const deleted = new sharedPb.StreamDeleted().setStreamIdentifier(identifierOf(stream));
    return ownFailed(status.FAILED_PRECONDITION, 'StreamDeleted', deleted);
  }
  if (outcome.outcome === 'wrong-version') {
    const wrong = new sharedPb.WrongExpectedVersion();
    if (outcome.current < 0n) wrong.setCurrentNoStream(empty);
    else wrong.setCurrentStreamRevision(String(outcome.current));
    if (expected === 'any') wrong.setExpectedAny(empty);
    else if (expected === 'stream_exists') wrong.setExpectedStreamExists(empty);
    else if (expected === 'no_stream') wrong.setExpectedNoStream(empty);
    else wrong.setExpectedStreamPosition(String(expected));
    return ownFailed(status.FAILED_PRECONDITION, 'WrongExpectedVersion', wrong);
  }
  const success = new streamsPb.BatchAppendResp.Success();
  if (outcome.revision < 0n) success.setNoStream(empty);
  else success.setCurrentRevision(String(outcome.revision));
  if (outcome.position === undefined) success.setNoPosition(empty);
  else {
    const position = new sharedPb.AllStreamPosition();
    success.setPosition(
      position.setCommitPosition(String(outcome.position)).setPreparePosition(String(outcome.position)),
    );
  }
  return new streamsPb.BatchAppendResp().setSuccess(success);
}

/** What a plain append fails with, as batch append tells it: in the answer, and the call goes on. */
export function batchRefusal({ code, details, metadata }: ServiceError): BatchAppendResp {
  if (code === status.ABORTED) return ownFailed(code, 'Timeout', new sharedPb.Timeout());
  if (code === status.UNAVAILABLE) return failed(code, details, 'google.protobuf.Empty', empty);
  const [bytesMax] = metadata.get('maximum-append-size');
  if (bytesMax !== undefined) {
    const tooLarge = new sharedPb.MaximumAppendSizeExceeded().setMaxappendsize(Number(bytesMax));
    return ownFailed(code, 'MaximumAppendSizeExceeded', tooLarge);
  }
  return ownFailed(status.INVALID_ARGUMENT, 'BadRequest', new sharedPb.BadRequest().setMessage(details));
}
