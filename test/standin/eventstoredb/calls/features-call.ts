import type { handleUnaryCall } from '@grpc/grpc-js';
import featuresPb from '@eventstore/db-client/generated/serverfeatures_pb.js';
import type { SupportedMethods } from '@eventstore/db-client/generated/serverfeatures_pb.js';
import type { Empty } from '@eventstore/db-client/generated/shared_pb.js';
import { faultStatus } from '../faults.ts';
import type { StandinParts } from '../standin-parts.ts';

const streamsService = 'event_store.client.streams.streams';

/** GetSupportedMethods, by which a client knows whether batch append is offered. */
export const featuresCall =
  ({ faults, calls, batchAppend }: StandinParts): handleUnaryCall<Empty, SupportedMethods> =>
  (call, callback) => {
    const end = calls.begin('features', call);
    if (faults.take('hang', 'features')) return;
    end();
    const failing = faults.take('features-fail');
    if (failing) return callback(faultStatus(failing.status ?? 'UNAVAILABLE'));
    const answer = new featuresPb.SupportedMethods().setEventStoreServerVersion('23.10.1');
    for (const name of ['read', 'append', 'delete', 'tombstone', ...(batchAppend ? ['batchappend'] : [])]) {
      answer.addMethods(new featuresPb.SupportedMethod().setServiceName(streamsService).setMethodName(name));
    }
    return callback(null, answer);
  };
