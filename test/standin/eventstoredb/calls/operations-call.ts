import { randomUUID } from 'node:crypto';
import type { handleUnaryCall } from '@grpc/grpc-js';
import operationsPb from '@eventstore/db-client/generated/operations_pb.js';
import type { ScavengeResp, StartScavengeReq } from '@eventstore/db-client/generated/operations_pb.js';
import type { StandinParts } from '../standin-parts.ts';

/**
 * StartScavenge: takes truncated and deleted events out of the log, at once. A real server does it in the background
 * and leaves the chunk that is being written alone; the last event of a stream stays there, as it does here.
 */
export const startScavengeCall =
  ({ calls, scavenge }: StandinParts): handleUnaryCall<StartScavengeReq, ScavengeResp> =>
  (call, callback) => {
    const end = calls.begin('operations', call);
    scavenge();
    end();
    const answer = new operationsPb.ScavengeResp().setScavengeId(randomUUID());
    callback(null, answer.setScavengeResult(operationsPb.ScavengeResp.ScavengeResult.STARTED));
  };
