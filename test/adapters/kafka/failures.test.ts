import { describe, expect, it } from 'vitest';
import { isRefusal, isSettling, translated } from '../../../src/adapters/kafka/failures.ts';
import { TimedOut } from '../../../src/adapters/within-time.ts';
import { createKafkaMessageBus } from '../../../src/adapters/kafka/message-bus.ts';
import { systemClock } from '../../../src/adapters/system/clock.ts';
import { BackendUnavailable } from '../../../src/kernel/backend-unavailable.ts';
import { StartupError } from '../../../src/kernel/startup-error.ts';

const failure = (fields: object, cause?: unknown): Error =>
  Object.assign(new Error('failed', { cause }), { name: 'KafkaJSNonRetriableError', retriable: false }, fields);

describe('failures of Kafka', () => {
  it.each([
    ['a broken connection', failure({ name: 'KafkaJSConnectionError', retriable: true })],
    ['a broker that has taken the connection and says nothing', new Error('Broker not connected')],
    ['a time-out of ours', new TimedOut({ server: 'Kafka', what: 'produce', timeoutMs: 1 })],
    [
      'what was given up',
      failure({ name: 'KafkaJSNumberOfRetriesExceeded' }, failure({ name: 'KafkaJSRequestTimeoutError' })),
    ],
    ['a broker without enough replicas', failure({ type: 'NOT_ENOUGH_REPLICAS', retriable: true })],
    ['a producer that lost count', failure({ name: 'KafkaJSProtocolError', type: 'OUT_OF_ORDER_SEQUENCE_NUMBER' })],
    [
      'topics of which one was not made in time',
      failure({ errors: [failure({ type: 'REQUEST_TIMED_OUT', retriable: true })] }),
    ],
  ])('that may pass have the name that callers know: %s', (_, error) => {
    const known = translated(error);
    expect(known).toBeInstanceOf(BackendUnavailable);
    expect(known).toMatchObject({ backend: 'Kafka', cause: error });
    expect(translated(known)).toBe(known);
  });

  it.each([
    failure({ type: 'TOPIC_AUTHORIZATION_FAILED' }),
    failure({}, failure({ type: 'GROUP_AUTHORIZATION_FAILED' })),
    failure({ name: 'KafkaJSSASLAuthenticationError' }),
  ])('that do not pass stay as they are, and end a consumer', (error) => {
    expect(translated(error)).toBe(error);
    expect(isRefusal(error)).toBe(true);
  });

  it('end no consumer otherwise', () => {
    expect(isRefusal(failure({ name: 'KafkaJSConnectionError' }))).toBe(false);
    expect(isRefusal(new TypeError('of the library'))).toBe(false);
  });

  it.each([
    ['a group without its coordinator', failure({ name: 'KafkaJSGroupCoordinatorNotFound' }), true],
    ['a partition without its leader', failure({}, failure({ type: 'NOT_LEADER_FOR_PARTITION' })), true],
    ['a partition that a broker has not heard of', failure({ type: 'UNKNOWN_TOPIC_OR_PARTITION' }), true],
    ['a broken connection', failure({ name: 'KafkaJSConnectionError', retriable: true }), false],
  ])('are waited for when the brokers settle: %s', (_, error, settling) => {
    expect(isSettling(error)).toBe(settling);
  });

  it.each(['', 'kafka', 'user:hunter2@kafka:9092', 'kafka:9092,'])(
    'begin with a list of brokers: %j',
    async (brokers) => {
      const refused = createKafkaMessageBus({ brokers, clock: systemClock });
      await expect(refused).rejects.toThrow(StartupError);
      await expect(refused).rejects.not.toThrow('hunter2');
    },
  );
});
