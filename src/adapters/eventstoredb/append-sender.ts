import type { EventStoreDBClient } from '@eventstore/db-client';
import { StartupError } from '../../kernel/startup-error.ts';
import type { ConnectionSettings } from './connection-string.ts';
import type { SendAppend } from './server-calls.ts';
import { withinTime } from '../within-time.ts';

/** Without TLS the client sends no credentials, whatever they are. */
const unsentCredentials = { username: 'nobody', password: 'nothing' };

/**
 * An append with credentials of its own is not batched by the client, so that it has a deadline, and does not ask what
 * the server can do, which has none and is never asked again after a failure.
 */
export function createAppendSender(
  client: EventStoreDBClient,
  settings: ConnectionSettings,
  timeoutMs: number,
): SendAppend {
  const credentials = settings.credentials ?? (settings.tls ? undefined : unsentCredentials);
  if (credentials === undefined) {
    throw new StartupError('EVENT_STORE_URL with TLS needs a user and a password; tls=false is without.');
  }
  return (stream, events, expectedRevision) =>
    withinTime(
      { server: 'EventStoreDB', what: `append to ${stream}`, timeoutMs },
      client.appendToStream(stream, events, {
        expectedRevision,
        credentials,
        deadline: timeoutMs,
        requiresLeader: true,
      }),
    );
}
