import { randomUUID } from 'node:crypto';
import { EventStoreDBClient, type JSONEventType, jsonEvent, type ResolvedEvent } from '@eventstore/db-client';
import { OperationsClient } from '@eventstore/db-client/generated/operations_grpc_pb.js';
import operationsPb from '@eventstore/db-client/generated/operations_pb.js';
import { StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type { ReadReq, ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import { credentials } from '@grpc/grpc-js';
import type { Standin } from './standin-process.ts';

/** Given with a call, it makes the client take the plain append path. */
export const plainPath = { credentials: { username: 'admin', password: 'changeit' } };

export type NumberedEvent = JSONEventType<'Counted.v1', { n: number }>;

export const counted = (n: number, id: string = randomUUID()) =>
  jsonEvent<NumberedEvent>({ id, type: 'Counted.v1', data: { n } });

export const newStreamName = (): string => `test-${randomUUID()}`;

export const clientOf = (standin: Standin): EventStoreDBClient => EventStoreDBClient.connectionString`${standin.url}`;

export const collect = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
  const collected: T[] = [];
  for await (const item of items) collected.push(item);
  return collected;
};

/** What the tests compare: the number in each event, system events left out. */
export const numbersIn = (events: readonly ResolvedEvent[]): number[] =>
  events.flatMap(({ event }) => (event?.type === 'Counted.v1' ? [(event.data as { n: number }).n] : []));

/** The generated stub, for what the client hides. */
export const rawStreams = (standin: Standin): StreamsClient =>
  new StreamsClient(`127.0.0.1:${standin.port}`, credentials.createInsecure());

export const rawRead = (standin: Standin, request: ReadReq): Promise<ReadResp[]> =>
  collect(rawStreams(standin).read(request));

export const scavenge = (standin: Standin): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const operations = new OperationsClient(`127.0.0.1:${standin.port}`, credentials.createInsecure());
    const request = new operationsPb.StartScavengeReq().setOptions(new operationsPb.StartScavengeReq.Options());
    operations.startScavenge(request, (error, response) => (error ? reject(error) : resolve(response)));
  });
