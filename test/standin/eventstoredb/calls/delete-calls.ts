import type { handleUnaryCall, Metadata, ServiceError } from '@grpc/grpc-js';
import sharedPb from '@eventstore/db-client/generated/shared_pb.js';
import streamsPb from '@eventstore/db-client/generated/streams_pb.js';
import type { DeleteReq, DeleteResp, TombstoneReq, TombstoneResp } from '@eventstore/db-client/generated/streams_pb.js';
import { asFailure } from './append-calls.ts';
import { faultStatus } from '../faults.ts';
import { commitTimedOut, handlerThrew, streamDeleted, wrongExpectedVersion } from '../grpc-failure.ts';
import type { Call } from '../open-calls.ts';
import { readExpected, streamNameOf } from './proposed-message.ts';
import type { StandinParts } from '../standin-parts.ts';

/** How trailers write an expected revision that is no number. */
const expectedNumbers = { any: -2n, no_stream: -1n, stream_exists: -4n } as const;

/** Delete: the soft one; the stream may be written again and goes on numbering. */
export const deleteCall =
  (parts: StandinParts): handleUnaryCall<DeleteReq, DeleteResp> =>
  (call, callback) => {
    remove(parts, call, call.request.getOptions(), 'softDelete', (error, at) => {
      if (error || at === undefined) return callback(error);
      const position = new streamsPb.DeleteResp.Position();
      position.setCommitPosition(String(at)).setPreparePosition(String(at));
      return callback(null, new streamsPb.DeleteResp().setPosition(position));
    });
  };

/** Tombstone: the stream is gone for good. */
export const tombstoneCall =
  (parts: StandinParts): handleUnaryCall<TombstoneReq, TombstoneResp> =>
  (call, callback) => {
    remove(parts, call, call.request.getOptions(), 'tombstone', (error, at) => {
      if (error) return callback(error);
      if (at === undefined) return callback(null, new streamsPb.TombstoneResp().setNoPosition(new sharedPb.Empty()));
      const position = new streamsPb.TombstoneResp.Position();
      position.setCommitPosition(String(at)).setPreparePosition(String(at));
      return callback(null, new streamsPb.TombstoneResp().setPosition(position));
    });
  };

function remove(
  { faults, calls, membership, inFlight, commitTimeoutMs }: StandinParts,
  call: Call & { readonly metadata: Metadata },
  options: DeleteReq.Options | TombstoneReq.Options | undefined,
  operation: 'softDelete' | 'tombstone',
  answer: (error: ServiceError | null, position?: bigint) => void,
): void {
  const end = calls.begin('delete', call);
  if (faults.take('hang', 'delete')) return;
  const finish: typeof answer = (error, position) => {
    end();
    answer(error, position);
  };
  const refusal = membership.refusal(call.metadata);
  if (refusal) return finish(refusal);
  try {
    const before = faults.take('drop-before-commit', 'delete');
    if (before) return before.status ? finish(faultStatus(before.status)) : calls.cut(call);
    if (!options) throw handlerThrew();
    const stream = streamNameOf(options);
    const expected = readExpected(options, options.hasRevision() ? options.getRevision() : undefined);
    const log = membership.leadersLog();
    if (!log) return inFlight.waitAtMost(commitTimeoutMs, () => finish(commitTimedOut()));
    const outcome = log[operation](stream, expected);
    const after = faults.take('commit-then-drop', 'delete');
    if (after) return after.status ? finish(faultStatus(after.status)) : calls.cut(call);
    if (outcome.outcome === 'deleted') return finish(streamDeleted(stream));
    if (outcome.outcome === 'appended') return finish(null, outcome.position);
    const asNumber = typeof expected === 'bigint' ? expected : expectedNumbers[expected];
    return finish(wrongExpectedVersion(stream, asNumber, outcome.current));
  } catch (error) {
    return finish(asFailure(error));
  }
}
