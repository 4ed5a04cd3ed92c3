import { Metadata, type ServiceError, status } from '@grpc/grpc-js';

/** A status with trailers as the server sends them: the client reads the `exception` trailer first. */
export const grpcFailure = (
  code: status,
  details: string,
  trailers: Readonly<Record<string, string>> = {},
): ServiceError => {
  const metadata = new Metadata();
  for (const [key, value] of Object.entries(trailers)) metadata.set(key, value);
  return Object.assign(new Error(details), { code, details, metadata });
};

export const streamDeleted = (stream: string): ServiceError =>
  grpcFailure(status.FAILED_PRECONDITION, `Event stream '${stream}' is deleted.`, {
    exception: 'stream-deleted',
    'stream-name': stream,
  });

export const wrongExpectedVersion = (stream: string, expected: bigint, actual: bigint): ServiceError =>
  grpcFailure(
    status.FAILED_PRECONDITION,
    `Delete failed due to WrongExpectedVersion. Stream: ${stream}, Expected version: ${expected}, Actual version: ${actual}`,
    {
      exception: 'wrong-expected-version',
      'stream-name': stream,
      'expected-version': String(expected),
      'actual-version': String(actual),
    },
  );

/** Names the leader, to which the client then goes by itself. */
export const notLeader = (leader: string): ServiceError => {
  const [host = '', port = ''] = leader.split(':');
  return grpcFailure(status.NOT_FOUND, 'Leader info available', {
    exception: 'not-leader',
    'leader-endpoint-host': host,
    'leader-endpoint-port': port,
  });
};

/** Of a node that has no leader, or is just becoming one. */
export const notReady = (): ServiceError => grpcFailure(status.UNAVAILABLE, 'Server Is Not Ready');

/** The server has waited for its own commit long enough: what was appended may or may not be stored. */
export const commitTimedOut = (): ServiceError => grpcFailure(status.ABORTED, 'Operation timed out: Commit timeout');

/** As the client asks for it: in the metadata of the call. */
export const requiresLeader = (metadata: Metadata): boolean => metadata.get('requires-leader').includes('true');

export const appendTooLarge = (bytesMax: number): ServiceError =>
  grpcFailure(status.INVALID_ARGUMENT, `Maximum Append Size of ${bytesMax} Exceeded.`, {
    exception: 'maximum-append-size-exceeded',
    'maximum-append-size': String(bytesMax),
  });

export const metadataMissing = (name: string): ServiceError =>
  grpcFailure(status.INVALID_ARGUMENT, `Required Metadata Property '${name}' is missing`, {
    exception: 'missing-required-metadata-property',
    'required-metadata-properties': 'type,content-type',
  });

export const invalidPosition = (): ServiceError =>
  grpcFailure(status.INVALID_ARGUMENT, 'Trying to read from an invalid position.');

/** What the server's framework answers when its own code throws, as for an id that is not a UUID. */
export const handlerThrew = (): ServiceError => grpcFailure(status.UNKNOWN, 'Exception was thrown by handler.');
