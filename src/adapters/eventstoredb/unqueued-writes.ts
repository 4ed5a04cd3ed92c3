import type { EventStoreDBClient } from '@eventstore/db-client';

/**
 * The client holds back writes of batch appends while the connection is busy, and rejects those that it holds when the
 * stream breaks, in promises that nobody can see: the process would end. So it is told that there is always room. What
 * waits is bounded by the number of appends at once.
 */
export function writeUnqueued(client: EventStoreDBClient): void {
  const createStream = client['GRPCStreamCreator'];
  client['GRPCStreamCreator'] = (service, name, creator, cache) =>
    createStream(
      service,
      name,
      async (grpcClient) => {
        const stream = await creator(grpcClient);
        if ('write' in stream) {
          const write = stream.write.bind(stream) as (message: unknown) => boolean;
          Object.defineProperty(stream, 'write', {
            value: (message: unknown) => {
              write(message);
              return true;
            },
          });
        }
        return stream;
      },
      cache,
    );
}
