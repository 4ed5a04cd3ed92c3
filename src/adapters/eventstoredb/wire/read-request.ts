import sharedPb from '@eventstore/db-client/generated/shared_pb.js';
import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import streamsPb from '@eventstore/db-client/generated/streams_pb.js';

export interface Page {
  readonly backwards?: boolean;
  /** The number of an event, which is the first of the answer. From the first or last one of all when absent. */
  readonly from?: number;
  readonly limit?: number;
}

const { AllOptions, FilterOptions, Position, StreamOptions, SubscriptionOptions, UUIDOption } =
  streamsPb.ReadReq.Options;
const { BACKWARDS, FORWARDS } = streamsPb.ReadReq.Options.ReadDirection;
const empty = new sharedPb.Empty();

const requestOf = (options: ReadReq.Options): ReadReq =>
  new streamsPb.ReadReq().setOptions(options.setUuidOption(new UUIDOption().setString(empty)));

const pageOf = ({ backwards = false, limit = Number.MAX_SAFE_INTEGER }: Page): ReadReq.Options =>
  new streamsPb.ReadReq.Options()
    .setReadDirection(backwards ? BACKWARDS : FORWARDS)
    .setCount(String(limit))
    .setNoFilter(empty);

/** Events written over gRPC have the same commit and prepare position. */
const logPosition = (position: number): ReadReq.Options.Position =>
  new Position().setCommitPosition(String(position)).setPreparePosition(String(position));

export function streamRequest(stream: string, page: Page): ReadReq {
  const { backwards = false, from } = page;
  const name = new sharedPb.StreamIdentifier().setStreamName(Buffer.from(stream));
  const options = new StreamOptions().setStreamIdentifier(name);
  if (from !== undefined) options.setRevision(String(from));
  else if (backwards) options.setEnd(empty);
  else options.setStart(empty);
  return requestOf(pageOf(page).setStream(options));
}

/** Of the order of all events, where an event's number is its position. */
export function allRequest(page: Page): ReadReq {
  const { backwards = false, from } = page;
  const options = new AllOptions();
  if (from !== undefined) options.setPosition(logPosition(from));
  else if (backwards) options.setEnd(empty);
  else options.setStart(empty);
  return requestOf(pageOf(page).setAll(options));
}

/** Every event after the position that is not the server's own, and those to come. */
export function subscribeRequest(afterPosition: number): ReadReq {
  const after = new AllOptions();
  if (afterPosition === 0) after.setStart(empty);
  else after.setPosition(logPosition(afterPosition));
  const notOfServer = new FilterOptions.Expression().setRegex('^[^$].*');
  const filter = new FilterOptions().setEventType(notOfServer).setCount(empty).setCheckpointintervalmultiplier(1);
  const options = new streamsPb.ReadReq.Options().setReadDirection(FORWARDS);
  return requestOf(options.setAll(after).setSubscription(new SubscriptionOptions()).setFilter(filter));
}
