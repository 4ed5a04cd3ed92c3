import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import type { EventLog } from '../log/event-log.ts';
import { handlerThrew, invalidPosition } from '../grpc-failure.ts';

/** Forwards the position is that of the first event; backwards it is where the first event ends, so exclusive. */
export const allStart = (log: EventLog, options: ReadReq.Options): number => {
  const all = options.getAll();
  if (all?.hasStart()) return 0;
  if (all?.hasEnd()) return log.length();
  const position = all?.getPosition();
  if (!position) throw handlerThrew();
  const commit = BigInt(position.getCommitPosition());
  if (commit === 0n) return 0;
  const { index, exact } = log.indexFrom(commit);
  // Behind the end there is nothing to read wrongly; before it the server lands in the middle of a record.
  if (!exact && index < log.length()) throw invalidPosition();
  return index;
};
