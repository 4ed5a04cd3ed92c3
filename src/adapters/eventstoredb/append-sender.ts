import type { EventStoreDBClient } from '@eventstore/db-client';
import { StartupError } from '../../kernel/startup-error.ts';
import { shareBatchClient } from './batch-client.ts';
import type { ConnectionSettings } from './connection-string.ts';
import type { SendAppend } from './server-calls.ts';
import { withinTime } from './time-limit.ts';

export interface AppendSender {
  readonly send: SendAppend;
  readonly appendsAtOnce: number;
  readonly close: () => Promise<void>;
}

export interface AppendSenderOptions {
  readonly client: EventStoreDBClient;
  readonly settings: ConnectionSettings;
  readonly batchAppend: boolean;
  readonly timeoutMs: number;
}

/** One call each, of the 100 that a connection carries. */
const plainAtOnce = 64;
/** All in one call; they bound what is kept in memory. */
const batchedAtOnce = 128;

/** Without TLS the client sends no credentials, whatever they are. */
const unsentCredentials = { username: 'nobody', password: 'nothing' };

export function createAppendSender({ client, settings, batchAppend, timeoutMs }: AppendSenderOptions): AppendSender {
  if (batchAppend) return { ...shareBatchClient(settings.url, timeoutMs), appendsAtOnce: batchedAtOnce };
  // An append with credentials of its own is not batched, so that it has a deadline, and does not ask what the server
  // can do, which has none and is never asked again after a failure.
  const credentials = settings.credentials ?? (settings.tls ? undefined : unsentCredentials);
  if (credentials === undefined) {
    throw new StartupError(
      'EVENT_STORE_URL with TLS needs a user and a password, unless EVENT_STORE_BATCH_APPEND is on; tls=false is without.',
    );
  }
  return {
    send: (stream, events, expectedRevision) =>
      withinTime(
        `append to ${stream}`,
        timeoutMs,
        client.appendToStream(stream, events, { expectedRevision, credentials, deadline: timeoutMs }),
      ),
    appendsAtOnce: plainAtOnce,
    close: async () => {},
  };
}
