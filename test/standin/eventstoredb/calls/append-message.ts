import sharedPb from '@eventstore/db-client/generated/shared_pb.js';
import streamsPb from '@eventstore/db-client/generated/streams_pb.js';
import type { AppendReq, AppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { ExpectedRevision } from '../log/commit-check.ts';
import type { AppendOutcome } from '../log/event-log.ts';
import { appendTooLarge, handlerThrew } from '../grpc-failure.ts';
import { readExpected, readProposed, streamNameOf } from './proposed-message.ts';
import { bytesOf, type ProposedEvent } from '../log/stored-event.ts';

export interface AppendRequest {
  readonly stream: string;
  readonly expected: ExpectedRevision;
  readonly events: readonly ProposedEvent[];
}

export function readAppend([first, ...rest]: readonly AppendReq[], bytesMax: number): AppendRequest {
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

export function appendResponse(
  outcome: Exclude<AppendOutcome, { outcome: 'deleted' }>,
  expected: ExpectedRevision,
): AppendResp {
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
