import {
  AccessDeniedError,
  DeadlineExceededError,
  MaxAppendSizeExceededError,
  StreamDeletedError,
  UnavailableError,
  UnknownError,
  WrongExpectedVersionError,
} from '@eventstore/db-client';
import sharedPb from '@eventstore/db-client/generated/shared_pb.js';
import type { Status } from '@eventstore/db-client/generated/status_pb.js';

/** What a node says that does not take appends now, as one that is just becoming the leader: nothing was stored. */
export const isNotHandled = (status: Status): boolean => status.getDetails()?.getTypeName() === 'google.protobuf.Empty';

type Failure = (details: Uint8Array, stream: string) => Error;

const failures: Readonly<Record<string, Failure>> = {
  'event_store.client.WrongExpectedVersion': (details, stream) =>
    WrongExpectedVersionError.fromWrongExpectedVersion(
      sharedPb.WrongExpectedVersion.deserializeBinary(details),
      stream,
    ),
  'event_store.client.StreamDeleted': (_, stream) => StreamDeletedError.fromStreamName(stream),
  'event_store.client.AccessDenied': () => new AccessDeniedError(),
  'event_store.client.Timeout': () => new DeadlineExceededError(),
  'event_store.client.MaximumAppendSizeExceeded': (details) =>
    MaxAppendSizeExceededError.fromMaxAppendSize(
      sharedPb.MaximumAppendSizeExceeded.deserializeBinary(details).getMaxappendsize(),
    ),
};

/** The same errors as a plain append fails with. */
export function appendFailure(status: Status, stream: string): Error {
  if (isNotHandled(status)) return new UnavailableError(undefined, status.getMessage());
  const details = status.getDetails();
  const failure = failures[details?.getTypeName() ?? ''];
  if (details === undefined || failure === undefined) return new UnknownError(undefined, status.getMessage());
  return failure(details.getValue_asU8(), stream);
}
