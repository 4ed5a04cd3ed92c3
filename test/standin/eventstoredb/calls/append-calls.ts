import { type handleClientStreamingCall, type ServiceError, status } from '@grpc/grpc-js';
import type { AppendReq, AppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import { faultStatus } from '../faults.ts';
import {
  appendTooLarge,
  commitTimedOut,
  grpcFailure,
  notLeader,
  requiresLeader,
  streamDeleted,
} from '../grpc-failure.ts';
import type { Call } from '../open-calls.ts';
import { type AppendRequest, appendResponse, readAppend } from './append-message.ts';
import type { StandinParts } from '../standin-parts.ts';

type Answer = (error: ServiceError | null, response?: AppendResp) => void;

/** Append: one call, one stream, all events or none. */
export const appendCall =
  (parts: StandinParts): handleClientStreamingCall<AppendReq, AppendResp> =>
  (call, callback) => {
    const { faults, calls, appendBytesMax } = parts;
    const end = calls.begin('append', call);
    let isAnswered = false;
    const answer: Answer = (error, response) => {
      if (isAnswered || call.cancelled) return;
      isAnswered = true;
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
    const take = (): void => {
      if (refused || call.cancelled) return;
      calls.appendSeen();
      if (faults.take('hang', 'append')) return;
      if (requiresLeader(call.metadata) && faults.take('not-leader', 'append'))
        return answer(notLeader(call.getHost()));
      const refusal = parts.membership.refusal(call.metadata);
      if (refusal) return answer(refusal);
      try {
        const before = faults.take('drop-before-commit', 'append');
        if (before) return before.status ? answer(faultStatus(before.status)) : calls.cut(call);
        takeIn(parts, call, readAppend(messages, appendBytesMax), answer);
      } catch (error) {
        answer(asFailure(error));
      }
    };
    // A connection that dies in the middle of a request ends its stream too, and only then tells that it was cancelled.
    call.on('end', () => setImmediate(take));
  };

/** Commits at once, unless a test holds this one or another before it in its stream. */
function takeIn(parts: StandinParts, call: Call, request: AppendRequest, answer: Answer): void {
  const { faults, calls, inFlight } = parts;
  const timeOut = (): void => inFlight.waitAtMost(parts.commitTimeoutMs, () => answer(commitTimedOut()));
  if (inFlight.isRepeat(request)) {
    calls.repeatDropped();
    return timeOut();
  }
  const held = faults.take('hold-commit', 'append');
  if (!held && !inFlight.isBehind(request)) return commit(parts, call, request, answer);
  inFlight.hold(request, () => commit(parts, call, request, answer));
  timeOut();
  if (held?.cut) calls.cut(call);
}

function commit(parts: StandinParts, call: Call, { stream, expected, events }: AppendRequest, answer: Answer): void {
  const log = parts.membership.leadersLog();
  if (!log) return parts.inFlight.waitAtMost(parts.commitTimeoutMs, () => answer(commitTimedOut()));
  const outcome = log.append(stream, expected, events);
  const after = parts.faults.take('commit-then-drop', 'append');
  if (after) return after.status ? answer(faultStatus(after.status)) : parts.calls.cut(call);
  if (outcome.outcome === 'deleted') return answer(streamDeleted(stream));
  return answer(null, appendResponse(outcome, expected));
}

/** A refusal is answered as such; anything else is a defect of the stand-in and says so. */
export function asFailure(error: unknown): ServiceError {
  if (error instanceof Error && 'code' in error && 'metadata' in error) return error as ServiceError;
  return grpcFailure(status.INTERNAL, `EventStoreDB stand-in: ${error instanceof Error ? error.stack : String(error)}`);
}
