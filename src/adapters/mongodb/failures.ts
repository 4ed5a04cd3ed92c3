import {
  MongoBulkWriteError,
  MongoError,
  MongoErrorLabel,
  MongoNetworkError,
  MongoOperationTimeoutError,
  MongoServerClosedError,
  MongoServerError,
  MongoServerSelectionError,
  MongoWriteConcernError,
} from 'mongodb';
import { BackendBusy, BackendUnavailable } from '../../kernel/backend-unavailable.ts';
import { StartupError } from '../../kernel/startup-error.ts';
import { WriteTooLarge } from '../../kernel/write-too-large.ts';

/** Answers of a server that is starting, stopping, voting or out of reach of its majority, and its own time-outs. */
const passingCodes = new Set([
  6, // HostUnreachable
  7, // HostNotFound
  43, // CursorNotFound: of a server that was the primary when it was opened
  50, // MaxTimeMSExpired
  64, // WriteConcernFailed: the majority has not confirmed in time
  89, // NetworkTimeout
  91, // ShutdownInProgress
  100, // UnsatisfiableWriteConcern
  133, // FailedToSatisfyReadPreference
  134, // ReadConcernMajorityNotAvailableYet
  189, // PrimarySteppedDown
  202, // NetworkInterfaceExceededTimeLimit
  237, // CursorKilled
  246, // SnapshotUnavailable
  262, // ExceededTimeLimit
  9001, // SocketException
  10107, // NotWritablePrimary
  11600, // InterruptedAtShutdown
  11602, // InterruptedDueToReplStateChange
  13435, // NotPrimaryNoSecondaryOk
  13436, // NotPrimaryOrSecondary
]);

const passingLabels = [
  MongoErrorLabel.RetryableWriteError,
  MongoErrorLabel.TransientTransactionError,
  MongoErrorLabel.UnknownTransactionCommitResult,
];

/** The driver throws whatever several writes of one command fail with as an error of the server, though it may never have got there. */
const unwrapped = (error: unknown): unknown =>
  error instanceof MongoBulkWriteError && error.errorResponse instanceof Error ? error.errorResponse : error;

/** The connection ended: what was sent may have been done or not. */
export const isCut = (error: unknown): boolean => unwrapped(error) instanceof MongoNetworkError;

const isDriverFailure = (error: unknown): boolean =>
  error instanceof MongoNetworkError ||
  error instanceof MongoServerSelectionError ||
  error instanceof MongoServerClosedError ||
  error instanceof MongoOperationTimeoutError ||
  // Not exported by the driver.
  (error instanceof MongoError && error.name === 'MongoWaitQueueTimeoutError');

const tooLargeCodes = [
  257, // TransactionTooLarge
  388, // TransactionTooLargeForCache
  10334, // BSONObjectTooLarge
];

/** The server is there and takes so much not at once: nothing that waiting would mend, whatever label it carries. */
export const isTooLarge = (error: unknown): boolean => hasCode(error, ...tooLargeCodes);

const conflictCodes = [
  24, // LockTimeout
  50, // MaxTimeMSExpired
  112, // WriteConflict
  251, // NoSuchTransaction: it was ended to let others go on
];

/** How long a write waits on the server for the transaction of another; less than a connection that says nothing. */
export const heldUpMsMax = 8_000;

/** The server answers that others keep what is to be written. Nothing was written. */
export const isConflict = (error: unknown): boolean =>
  hasCode(error, ...conflictCodes) && !(error instanceof MongoWriteConcernError);

/** The server cannot be reached or has not answered in time; it may be back at any moment. */
export const isUnavailable = (error: unknown): boolean =>
  !isTooLarge(error) &&
  !isConflict(error) &&
  (isDriverFailure(unwrapped(error)) ||
    (error instanceof MongoServerError && passingCodes.has(Number(error.code))) ||
    (error instanceof MongoError && passingLabels.some((label) => error.hasErrorLabel(label))));

/** What callers get for a failure: those that callers know by the names they know, all others as they are. */
export const translated = (error: unknown): unknown => {
  if (isTooLarge(error)) return new WriteTooLarge('MongoDB', { cause: error });
  if (isConflict(error)) return new BackendBusy('MongoDB', { cause: error });
  if (isUnavailable(error)) return new BackendUnavailable('MongoDB', { cause: error });
  if (!hasCode(error, unauthorized)) return error;
  const sentence = 'MongoDB lets the user of MONGODB_URL not do this: give it the role readWrite on the database.';
  return new StartupError(sentence, { cause: error });
};

export const hasCode = (error: unknown, ...codes: readonly number[]): boolean =>
  error instanceof MongoServerError && codes.includes(Number(error.code));

export const duplicateKey = 11_000;
export const unauthorized = 13;
export const namespaceNotFound = 26;
export const indexNotFound = 27;
export const namespaceExists = 48;

type Method = (...args: readonly unknown[]) => unknown;

/** The same methods, which refuse when closed and translate what the driver throws. */
export const guarded = <Methods extends object>(methods: Methods, requireOpen: () => void): Methods => {
  const guard =
    (method: Method): Method =>
    async (...args) => {
      requireOpen();
      try {
        return await method(...args);
      } catch (error) {
        throw translated(error);
      }
    };
  const entries = Object.entries(methods).map(([name, member]) => [
    name,
    typeof member === 'function' ? guard(member as Method) : member,
  ]);
  return Object.fromEntries(entries) as Methods;
};
