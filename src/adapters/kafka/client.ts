import type { Socket } from 'node:net';
import { Kafka, type LogEntry, logLevel } from 'kafkajs';
import { StartupError } from '../../kernel/startup-error.ts';
import type { Log } from '../../ports/log.ts';

export interface KafkaClientOptions {
  /** `host:9092,host:9092`: some brokers of the cluster, which tell of the others. */
  readonly brokers: string;
  /** What the logs and quotas of the brokers call this process. */
  readonly clientId: string;
  readonly log?: Log | undefined;
  /** How a broker is reached, through a tunnel for example; directly when absent. */
  readonly connect?: ((address: { readonly host: string; readonly port: number }) => Socket) | undefined;
}

/**
 * A client for each producer, consumer and admin: those of one client share what they believe to be the offsets of a
 * group, also when they are two members of it.
 */
export type NewClient = () => Kafka;

const connectMs = 3_000;
const requestMs = 5_000;

/** A broker that is away is given up after 2.5 s; each of the client's own calls tries that long. */
export const retry = { initialRetryTime: 100, multiplier: 2, factor: 0.2, maxRetryTime: 1_000, retries: 5 };

/** Brokers come, go and get more partitions; what the client believes of them is never older. */
export const metadataMaxAgeMs = 10_000;

function brokersOf(list: string): string[] {
  const brokers = list.split(',').map((broker) => broker.trim());
  // The list is not quoted: somebody may have put a password into it.
  if (brokers.every((broker) => /^[\w.-]+:\d{1,5}$/.test(broker))) return brokers;
  throw new StartupError('The list of Kafka brokers cannot be read: it has the form host:9092,host:9092.');
}

/**
 * The library logs every state that passes as an error, and what does not pass is thrown or told to the consumer. So
 * its log is dropped, but for the one thing that it says nowhere else.
 */
const listenFor =
  (log: Log | undefined) =>
  ({ log: { message, topic, partition, groupId } }: LogEntry): void => {
    if (!message.startsWith('Offset out of range, resetting')) return;
    log?.warn('Kafka no longer keeps the messages that a group was to get next: it goes on with the oldest', {
      group: groupId as unknown,
      topic: topic as unknown,
      partition: partition as unknown,
    });
  };

export function createClients({ brokers, clientId, log, connect }: KafkaClientOptions): NewClient {
  const config = {
    brokers: brokersOf(brokers),
    clientId,
    connectionTimeout: connectMs,
    requestTimeout: requestMs,
    retry,
    logLevel: logLevel.ERROR,
    logCreator: () => listenFor(log),
  };
  if (connect === undefined) return () => new Kafka(config);
  return () =>
    new Kafka({
      ...config,
      socketFactory: ({ host, port, onConnect }) => connect({ host, port }).once('connect', onConnect),
    });
}
