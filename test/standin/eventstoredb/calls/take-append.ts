import type { Metadata, ServiceError } from '@grpc/grpc-js';
import { faultStatus } from '../faults.ts';
import { commitTimedOut, notLeader, requiresLeader } from '../grpc-failure.ts';
import type { AppendOutcome } from '../log/event-log.ts';
import type { Call } from '../open-calls.ts';
import type { StandinParts } from '../standin-parts.ts';
import type { AppendRequest } from './append-message.ts';

/** How an append is answered over the call that it came by. */
export interface AppendReply {
  readonly done: (outcome: AppendOutcome, request: AppendRequest) => void;
  /** This append is not taken. */
  readonly refuse: (failure: ServiceError) => void;
  /** The call ends with it. */
  readonly drop: (failure: ServiceError) => void;
}

export interface AppendCall extends Call {
  readonly metadata: Metadata;
  readonly getHost: () => string;
}

/** What the EventStoreDB stand-in does with an append, whichever call it came by, and the faults that tests have armed. */
export function takeIn(parts: StandinParts, call: AppendCall, read: () => AppendRequest, reply: AppendReply): void {
  const { faults, calls, inFlight, membership } = parts;
  if (faults.take('hang', 'append')) return;
  if (requiresLeader(call.metadata) && faults.take('not-leader', 'append'))
    return reply.drop(notLeader(call.getHost()));
  const refusal = membership.refusal(call.metadata);
  // Who leads is told by the end of the call; that nobody does, to this append alone.
  if (refusal) return refusal.metadata.get('exception').length > 0 ? reply.drop(refusal) : reply.refuse(refusal);
  const before = faults.take('drop-before-commit', 'append');
  if (before) return before.status ? reply.drop(faultStatus(before.status)) : calls.cut(call);
  const request = read();
  const timeOut = (): void => inFlight.waitAtMost(parts.commitTimeoutMs, () => reply.refuse(commitTimedOut()));
  if (inFlight.isRepeat(request)) {
    calls.repeatDropped();
    return timeOut();
  }
  const held = faults.take('hold-commit', 'append');
  if (!held && !inFlight.isBehind(request)) return commit(parts, call, request, reply);
  inFlight.hold(request, () => commit(parts, call, request, reply));
  timeOut();
  if (held?.cut) calls.cut(call);
}

/** Commits at once, unless a test holds this one or another before it in its stream. */
function commit(parts: StandinParts, call: AppendCall, request: AppendRequest, reply: AppendReply): void {
  const log = parts.membership.leadersLog();
  if (!log) return parts.inFlight.waitAtMost(parts.commitTimeoutMs, () => reply.refuse(commitTimedOut()));
  const { stream, expected, events } = request;
  const outcome = log.append(stream, expected, events);
  const after = parts.faults.take('commit-then-drop', 'append');
  if (after) return after.status ? reply.drop(faultStatus(after.status)) : parts.calls.cut(call);
  return reply.done(outcome, request);
}
