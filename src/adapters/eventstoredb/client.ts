import { EventStoreDBClient } from '@eventstore/db-client';
import { StartupError } from '../../kernel/startup-error.ts';
import { TimedOut, withinTime } from '../within-time.ts';

export interface OpenClient {
  readonly client: EventStoreDBClient;
  /** Tells that the client has gone to another node. Calls that are open stay where they are. */
  readonly onMoved: (listener: () => void) => () => void;
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
  const movedListeners = new Set<() => void>();
  client['createChannel'] = async () => {
    const before = channel?.getTarget();
    channel = await createChannel();
    if (before !== undefined && channel.getTarget() !== before) for (const listener of [...movedListeners]) listener();
    return channel;
  };
  return {
    client,
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
