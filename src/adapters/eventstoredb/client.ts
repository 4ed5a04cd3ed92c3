import { EventStoreDBClient } from '@eventstore/db-client';
import { StartupError } from '../../kernel/startup-error.ts';
import { TimedOut, withinTime } from '../within-time.ts';

export interface OpenClient {
  readonly client: EventStoreDBClient;
  /** Which connection a call goes over that is made now; they are numbered in the order in which they are begun. */
  readonly connection: () => number;
  /** Tells that the client has gone to another node, over this connection. Calls that are open stay where they are. */
  readonly onMoved: (listener: (connection: number) => void) => () => void;
  /** Ends its calls and its connection. */
  readonly close: () => Promise<void>;
}

/** Ending calls happens in this process and takes milliseconds; one that the server has ended already never ends. */
const disposeTimeoutMs = 1000;

/** The client's own error for what it cannot read names the connection string, with the password; the others do not. */
function fromConnectionString(url: string): EventStoreDBClient {
  try {
    return EventStoreDBClient.connectionString(url);
  } catch (error) {
    if (error instanceof Error && 'connectionString' in error) {
      throw new StartupError('EVENT_STORE_URL cannot be read; it looks like esdb://host:2113?tls=true.');
    }
    throw new StartupError(`EVENT_STORE_URL cannot be used: ${(error as Error).message}`, { cause: error });
  }
}

/** Connects with the first call. */
export function openClient(url: string): OpenClient {
  const client = fromConnectionString(url);
  // dispose() leaves the connection open, and asking for the channel might make a new one: so it is noted when made.
  const createChannel = client['createChannel'];
  let channel: Awaited<ReturnType<typeof createChannel>> | undefined;
  let begun = 0;
  const movedListeners = new Set<(connection: number) => void>();
  // It is asked for in the same turn as the first call that needs it, and the others wait for the same one.
  client['createChannel'] = async () => {
    begun += 1;
    const connection = begun;
    const before = channel?.getTarget();
    channel = await createChannel();
    const isMoved = before !== undefined && channel.getTarget() !== before;
    if (isMoved) for (const listener of [...movedListeners]) listener(connection);
    return channel;
  };
  return {
    client,
    connection: () => begun,
    onMoved: (listener) => {
      movedListeners.add(listener);
      return () => movedListeners.delete(listener);
    },
    close: async () => {
      try {
        await withinTime(
          { server: 'EventStoreDB', what: 'to end its calls', timeoutMs: disposeTimeoutMs },
          client.dispose(),
        );
      } catch (error) {
        if (!(error instanceof TimedOut)) throw error;
      }
      channel?.close();
    },
  };
}
