import {
  type Metadata,
  ServerInterceptingCall,
  type ServerInterceptor,
  type ServiceError,
  status,
} from '@grpc/grpc-js';
import { grpcFailure } from './grpc-failure.ts';

export interface StandinUser {
  readonly username: string;
  readonly password: string;
}

/** The client asks these without saying who it is. */
const openServices = /^\/event_store\.client\.(gossip|server_features)\./;

function refusalOf(user: string, path: string, metadata: Metadata): ServiceError | undefined {
  const given = metadata.get('authorization')[0];
  if (given === user) return undefined;
  if (given !== undefined) return grpcFailure(status.UNAUTHENTICATED, 'Bad gRPC response. HTTP status code: 401');
  if (openServices.test(path)) return undefined;
  return grpcFailure(status.PERMISSION_DENIED, 'Access Denied', { exception: 'access-denied' });
}

/** The EventStoreDB stand-in knows one user, who may do everything; who does not say who it is may do nothing. */
export const credentialsCheck = ({ username, password }: StandinUser): ServerInterceptor => {
  const user = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  return ({ path }, call) =>
    new ServerInterceptingCall(call, {
      start: (next) =>
        next({
          onReceiveMetadata: (metadata, pass) => {
            const refusal = refusalOf(user, path, metadata);
            if (refusal) call.sendStatus(refusal);
            else pass(metadata);
          },
        }),
    });
};
