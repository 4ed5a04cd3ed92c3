import { convertToCommandError, EventStoreDBClient } from '@eventstore/db-client';
import { type CallOptions, Client, type Metadata } from '@grpc/grpc-js';
import { StartupError } from '../../kernel/startup-error.ts';
import { TimedOut, withinTime } from '../within-time.ts';

/** What a call of ours is made with: it says who we are and whether only the leader may answer, and has no deadline. */
export interface Connection {
  readonly grpc: Client;
  readonly metadata: Metadata;
  readonly options: CallOptions;
}

export type Call = <Result>(work: (connection: Connection) => Promise<Result>) => Promise<Result>;

/** Answers how to leave off. */
type Listen = (listener: (connection: number) => void) => () => void;

export interface OpenClient {
  readonly client: EventStoreDBClient;
  /** A call of ours over the client's connection. The client hears of its failure, and goes to another node if it must. */
  readonly call: Call;
  /** The same to whichever node it is. */
  readonly callAnyNode: Call;
  /** Which connection a call goes over that is made now; they are numbered in the order in which they are begun. */
  readonly connection: () => number;
  /** Tells that the client has a new connection, maybe to the same node. Calls that are open stay where they are. */
  readonly onConnected: Listen;
  /** Tells that the client has gone to another node, over this connection. */
  readonly onMoved: Listen;
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

function createListeners(): { readonly tell: (connection: number) => void; readonly listen: Listen } {
  const listeners = new Set<(connection: number) => void>();
  return {
    tell: (connection) => {
      for (const listener of [...listeners]) listener(connection);
    },
    listen: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Connects with the first call. */
export function openClient(url: string): OpenClient {
  const client = fromConnectionString(url);
  // dispose() leaves the connection open, and asking for the channel might make a new one: so it is noted when made.
  const createChannel = client['createChannel'];
  let channel: Awaited<ReturnType<typeof createChannel>> | undefined;
  let begun = 0;
  const [connected, moved] = [createListeners(), createListeners()];
  // It is asked for in the same turn as the first call that needs it, and the others wait for the same one.
  client['createChannel'] = async () => {
    begun += 1;
    const connection = begun;
    const before = channel?.getTarget();
    channel = await createChannel();
    connected.tell(connection);
    if (before !== undefined && channel.getTarget() !== before) moved.tell(connection);
    return channel;
  };
  const callWith =
    (requiresLeader: boolean): Call =>
    (work) =>
      client['execute'](Client, 'a call of the registry', async (grpc) => {
        const [metadata, options] = client['callArguments']({ requiresLeader }, { deadline: Infinity });
        try {
          return await work({ grpc, metadata, options });
        } catch (error) {
          throw convertToCommandError(error as Error);
        }
      });
  return {
    client,
    call: callWith(true),
    callAnyNode: callWith(false),
    connection: () => begun,
    onConnected: connected.listen,
    onMoved: moved.listen,
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
