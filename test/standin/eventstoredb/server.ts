import { type AddressInfo, createServer, type Server as TcpServer } from 'node:net';
import { GossipService } from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import { OperationsService } from '@eventstore/db-client/generated/operations_grpc_pb.js';
import { ServerFeaturesService } from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import { StreamsService } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import { Server, ServerCredentials } from '@grpc/grpc-js';
import { appendCall } from './calls/append-calls.ts';
import { batchAppendCall } from './calls/batch-append-call.ts';
import { deleteCall, tombstoneCall } from './calls/delete-calls.ts';
import { featuresCall } from './calls/features-call.ts';
import { gossipCall } from './calls/gossip-call.ts';
import { startScavengeCall } from './calls/operations-call.ts';
import { readCall } from './calls/read-calls.ts';
import { credentialsCheck, type StandinUser } from './credentials-check.ts';
import type { StandinParts } from './standin-parts.ts';

/** The server's own limits. */
const serverOptions = {
  'grpc.max_receive_message_length': 17 * 1024 * 1024,
  'grpc.max_send_message_length': 17 * 1024 * 1024,
  'grpc.max_concurrent_streams': 100,
};

export interface Security extends StandinUser {
  /** PEM. */
  readonly certificate: Buffer;
  readonly privateKey: Buffer;
}

const credentialsOf = ({ certificate, privateKey }: Security): ServerCredentials =>
  ServerCredentials.createSsl(null, [{ cert_chain: certificate, private_key: privateKey }]);

/** EventStoreDB's gRPC services on one port, with TLS and its one user or open to everybody. It accepts the connections itself, to be able to cut them. */
export const listen = async (parts: StandinParts, port: number, security?: Security): Promise<number> => {
  const server = new Server({ ...serverOptions, ...(security && { interceptors: [credentialsCheck(security)] }) });
  server.addService(StreamsService, {
    read: readCall(parts),
    append: appendCall(parts),
    ...(parts.batchAppend && { batchAppend: batchAppendCall(parts) }),
    delete: deleteCall(parts),
    tombstone: tombstoneCall(parts),
  });
  server.addService(ServerFeaturesService, { getSupportedMethods: featuresCall(parts) });
  server.addService(GossipService, { read: gossipCall(parts) });
  server.addService(OperationsService, { startScavenge: startScavengeCall(parts) });
  const injector = server.createConnectionInjector(
    security ? credentialsOf(security) : ServerCredentials.createInsecure(),
  );
  const acceptor = createServer({ noDelay: true }, (socket) => {
    // A cut connection is the end of its calls, which hear of it on their own.
    socket.on('error', () => socket.destroy());
    parts.calls.connected(socket);
    injector.injectConnection(socket);
  });
  return bind(acceptor, port);
};

export const bind = (server: TcpServer, port: number): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
