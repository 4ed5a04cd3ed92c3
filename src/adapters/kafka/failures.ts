import { BackendUnavailable } from '../../kernel/backend-unavailable.ts';

interface Failure {
  readonly name?: unknown;
  readonly message?: unknown;
  /** The name of a broker's error code. */
  readonly type?: unknown;
  readonly retriable?: unknown;
  readonly cause?: unknown;
  /** One for each topic that could not be made. */
  readonly errors?: readonly unknown[];
}

/** The error and what it was caused by: the client wraps what it gave up on. */
function causesOf(error: unknown): Failure[] {
  if (typeof error !== 'object' || error === null) return [];
  const failure: Failure = error;
  return [failure, ...causesOf(failure.cause), ...(failure.errors ?? []).flatMap(causesOf)];
}

export const hasType = (error: unknown, ...types: readonly string[]): boolean =>
  causesOf(error).some(({ type }) => types.includes(String(type)));

export const hasName = (error: unknown, ...names: readonly string[]): boolean =>
  causesOf(error).some(({ name }) => names.includes(String(name)));

export const isUnknownTopic = (error: unknown): boolean => hasType(error, 'UNKNOWN_TOPIC_OR_PARTITION');

/** The group is agreeing on who has what, perhaps without this member. */
export const isRebalance = (error: unknown): boolean =>
  hasType(error, 'REBALANCE_IN_PROGRESS', 'ILLEGAL_GENERATION', 'UNKNOWN_MEMBER_ID', 'NOT_COORDINATOR_FOR_GROUP');

/**
 * It takes a moment until it is known who keeps the offsets of a group, after the start of a broker, and who leads a
 * partition that was just made.
 */
export const isSettling = (error: unknown): boolean =>
  hasName(error, 'KafkaJSGroupCoordinatorNotFound') ||
  hasType(error, 'NOT_COORDINATOR_FOR_GROUP', 'GROUP_COORDINATOR_NOT_AVAILABLE', 'GROUP_LOAD_IN_PROGRESS') ||
  hasType(error, 'NOT_LEADER_FOR_PARTITION', 'LEADER_NOT_AVAILABLE', 'UNKNOWN_TOPIC_OR_PARTITION');

const passingNames = new Set([
  'TimedOut',
  'KafkaJSConnectionError',
  'KafkaJSConnectionClosedError',
  'KafkaJSRequestTimeoutError',
  'KafkaJSBrokerNotFound',
  'KafkaJSGroupCoordinatorNotFound',
  'KafkaJSNoBrokerAvailableError',
  'KafkaJSMetadataNotLoaded',
  'KafkaJSTopicMetadataNotLoaded',
  'KafkaJSTimeout',
  'KafkaJSLockTimeout',
]);

/** The broker has lost count of a producer, as after a crash; the next producer begins a new count. */
const countLost = new Set([
  'OUT_OF_ORDER_SEQUENCE_NUMBER',
  'DUPLICATE_SEQUENCE_NUMBER',
  'INVALID_PRODUCER_EPOCH',
  'UNKNOWN_PRODUCER_ID',
]);

/** All that the client says, in an error without a name, of a broker that took the connection and has not answered yet. */
const halfConnected = 'Broker not connected';

const isPassing = ({ name, message, type, retriable }: Failure): boolean =>
  type === undefined
    ? passingNames.has(String(name)) || message === halfConnected
    : retriable === true || countLost.has(String(type));

/** What callers get for a failure: those that may pass by the name they know, all others as they are. */
export const translated = (error: unknown): unknown =>
  !(error instanceof BackendUnavailable) && causesOf(error).some(isPassing)
    ? new BackendUnavailable('Kafka', { cause: error })
    : error;

const refusals = /AUTHORIZATION_FAILED$|^SASL_|^(ILLEGAL_SASL_STATE|INVALID_GROUP_ID|UNSUPPORTED_VERSION)$/;
const refusalNames = new Set([
  'KafkaJSSASLAuthenticationError',
  'KafkaJSServerDoesNotSupportApiKey',
  'KafkaJSNotImplemented',
]);

/** The brokers say no, and will until somebody changes their settings. */
export const isRefusal = (error: unknown): boolean =>
  causesOf(error).some(({ name, type }) => refusals.test(String(type)) || refusalNames.has(String(name)));
