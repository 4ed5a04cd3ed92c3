import type { handleServerStreamingCall } from '@grpc/grpc-js';
import streamsPb from '@eventstore/db-client/generated/streams_pb.js';
import type { ReadReq, ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import { allStart } from './all-start.ts';
import { asFailure } from './append-calls.ts';
import { readFilter } from './event-filter.ts';
import type { EventLog } from '../log/event-log.ts';
import { handlerThrew, notLeader, requiresLeader, streamDeleted } from '../grpc-failure.ts';
import { createOutlet, type Outlet } from './outlet.ts';
import { streamNameOf } from './proposed-message.ts';
import { eventMessage, notFoundMessage } from './read-message.ts';
import type { StandinParts } from '../standin-parts.ts';
import { isMetastream, type StoredEvent } from '../log/stored-event.ts';
import { firstVisible, isSoftDeleted } from '../log/stream-state.ts';
import { subscribe } from './subscription-call.ts';

const { BACKWARDS } = streamsPb.ReadReq.Options.ReadDirection;

/** Read: streams and `$all`, both directions, and subscriptions, which are reads without an end. */
export const readCall =
  (parts: StandinParts): handleServerStreamingCall<ReadReq, ReadResp> =>
  (call) => {
    const options = call.request.getOptions();
    const method = options?.hasSubscription() ? 'subscribe' : 'read';
    const outlet = createOutlet(call);
    outlet.onOver(parts.calls.begin(method, call));
    if (method === 'read' && options?.hasStream()) parts.calls.streamReadSeen();
    if (parts.faults.take('hang', method)) return;
    if (requiresLeader(call.metadata) && parts.faults.take('not-leader', method))
      return outlet.end(notLeader(call.getHost()));
    const refusal = parts.membership.refusal(call.metadata);
    if (refusal) return outlet.end(refusal);
    serve(parts, options, outlet).catch((error: unknown) => outlet.end(asFailure(error)));
  };

async function serve(parts: StandinParts, options: ReadReq.Options | undefined, outlet: Outlet): Promise<void> {
  if (!options?.getUuidOption()) throw handlerThrew();
  if (options.hasSubscription()) {
    if (options.getReadDirection() === BACKWARDS) throw handlerThrew();
    return subscribe(parts, options, outlet);
  }
  if (!options.hasCount()) throw handlerThrew();
  const events = options.hasAll() ? allEvents(parts.log, options) : undefined;
  if (events) await writeEvents(outlet, events, options);
  else await writeStream(parts.log, options, outlet);
  return outlet.end();
}

async function writeEvents(outlet: Outlet, events: Iterable<StoredEvent>, options: ReadReq.Options): Promise<number> {
  const asText = options.getUuidOption()?.hasString() ?? false;
  const countMax = Number(options.getCount());
  let written = 0;
  if (countMax === 0) return written;
  for (const event of events) {
    if (outlet.isOver()) return written;
    await outlet.write(eventMessage(event, asText));
    written += 1;
    if (written >= countMax) return written;
  }
  return written;
}

function allEvents(log: EventLog, options: ReadReq.Options): Iterable<StoredEvent> {
  const backwards = options.getReadDirection() === BACKWARDS;
  const filter = options.getFilter();
  const accepts = filter ? readFilter(filter).accepts : () => true;
  return backwards
    ? logBackwards(log, allStart(log, options), accepts)
    : logForwards(log, allStart(log, options), accepts);
}

function* logForwards(log: EventLog, start: number, accepts: (event: StoredEvent) => boolean): Generator<StoredEvent> {
  for (let index = start; index < log.length(); index += 1) {
    const event = log.at(index);
    if (event && accepts(event)) yield event;
  }
}

function* logBackwards(log: EventLog, start: number, accepts: (event: StoredEvent) => boolean): Generator<StoredEvent> {
  for (let index = start - 1; index >= 0; index -= 1) {
    const event = log.at(index);
    if (event && accepts(event)) yield event;
  }
}

async function writeStream(log: EventLog, options: ReadReq.Options, outlet: Outlet): Promise<void> {
  const from = options.getStream();
  const name = streamNameOf(from);
  if (!from || options.hasFilter()) throw handlerThrew();
  const state = log.stream(name);
  if (state?.tombstoned || (isMetastream(name) && log.stream(name.slice(2))?.tombstoned)) throw streamDeleted(name);
  if (!state || state.events.length === 0 || isSoftDeleted(state)) {
    await outlet.write(notFoundMessage(name));
    return;
  }
  const first = firstVisible(state);
  const last = state.events.length - 1;
  const backwards = options.getReadDirection() === BACKWARDS;
  const asked = from.hasRevision()
    ? BigInt(from.getRevision())
    : from.hasEnd()
      ? BigInt(last + (backwards ? 0 : 1))
      : 0n;
  const start = asked > BigInt(last) ? (backwards ? last : last + 1) : Number(asked);
  const events = backwards ? revisions(start, first, -1) : revisions(Math.max(start, first), last, 1);
  function* revisions(begin: number, end: number, step: 1 | -1): Generator<StoredEvent> {
    for (let revision = begin; step > 0 ? revision <= end : revision >= end; revision += step) {
      const event = state?.events[revision];
      if (event) yield event;
    }
  }
  const written = await writeEvents(outlet, events, options);
  // Only a client that says so understands these two.
  if ((options.getControlOption()?.getCompatibility() ?? 0) < 1) return;
  if (written === 0 && !backwards && start < first) {
    await outlet.write(new streamsPb.ReadResp().setFirstStreamPosition(String(first)));
  }
  await outlet.write(new streamsPb.ReadResp().setLastStreamPosition(String(last)));
}
