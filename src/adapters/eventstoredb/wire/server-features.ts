import { ServerFeaturesService } from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import sharedPb from '@eventstore/db-client/generated/shared_pb.js';
import { StreamsService } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import { status } from '@grpc/grpc-js';
import type { Connection } from '../client.ts';

const batchAppendPath = StreamsService.batchAppend.path.toLowerCase();

/** Whether the server takes many appends over one call. One that cannot tell what it can do is too old to. */
export const offersBatchAppend = ({ grpc, metadata, options }: Connection, timeoutMs: number): Promise<boolean> =>
  new Promise((resolve, reject) => {
    const { path, requestSerialize, responseDeserialize } = ServerFeaturesService.getSupportedMethods;
    const bounded = { ...options, deadline: Date.now() + timeoutMs };
    const empty = new sharedPb.Empty();
    grpc.makeUnaryRequest(path, requestSerialize, responseDeserialize, empty, metadata, bounded, (error, answer) => {
      if (error && error.code !== status.UNIMPLEMENTED) return reject(error);
      const methods = error ? [] : (answer?.getMethodsList() ?? []);
      const paths = methods.map((method) => `/${method.getServiceName()}/${method.getMethodName()}`.toLowerCase());
      return resolve(paths.includes(batchAppendPath));
    });
  });
