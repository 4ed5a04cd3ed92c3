import type { EventStoreDBClient } from '@eventstore/db-client';
import { StartupError } from '../../kernel/startup-error.ts';
import type { Log } from '../../ports/log.ts';
import { withinTime } from '../within-time.ts';
import { BatchCallEnded, startBatchCall } from './batch-call.ts';
import type { Connection, OpenClient } from './client.ts';
import type { ConnectionSettings } from './connection-string.ts';
import type { SendAppend } from './server-calls.ts';
import { clientEvent } from './stored-event.ts';
import { offersBatchAppend } from './wire/server-features.ts';

/** Without TLS the client sends no credentials, whatever they are. */
const unsentCredentials = { username: 'nobody', password: 'nothing' };

/**
 * A call for each append. One with credentials of its own is not batched by the client, so that it has a deadline, and
 * does not ask what the server can do, which has none and is never asked again after a failure.
 */
export function createPlainSender(
  client: EventStoreDBClient,
  settings: ConnectionSettings,
  timeoutMs: number,
): SendAppend {
  const credentials = settings.credentials ?? (settings.tls ? undefined : unsentCredentials);
  if (credentials === undefined) {
    throw new StartupError('EVENT_STORE_URL with TLS needs a user and a password; tls=false is without.');
  }
  return async ({ stream, events, expectedRevision }) => {
    const options = { credentials, deadline: timeoutMs, requiresLeader: true };
    const { nextExpectedRevision, position } = await withinTime(
      { server: 'EventStoreDB', what: `append to ${stream}`, timeoutMs },
      client.appendToStream(stream, events.map(clientEvent), {
        ...options,
        expectedRevision: expectedRevision === 'no_stream' ? expectedRevision : BigInt(expectedRevision),
      }),
    );
    return { revision: Number(nextExpectedRevision), position: position && Number(position.commit) };
  };
}

export interface AppendSender {
  readonly send: SendAppend;
  /** Nothing is sent any more. */
  readonly close: () => void;
}

export interface AppendSenderDeps {
  readonly open: OpenClient;
  readonly settings: ConnectionSettings;
  readonly timeoutMs: number;
  readonly log: Log | undefined;
}

/** How appends go out over one connection. */
interface Way {
  readonly send: Promise<SendAppend>;
  /** Fails whoever waits for an answer over it; what comes after takes another way. */
  readonly end: (why: string) => void;
}

/**
 * Appends share one call, where a call for each would take three times the work. A server that does not offer it gets a
 * call for each. What it offers is asked once for each connection; a new connection gets a new call.
 */
export function createAppendSender({ open, settings, timeoutMs, log }: AppendSenderDeps): AppendSender {
  const plain = createPlainSender(open.client, settings, timeoutMs);
  let way: Way | undefined;

  /** Until it is ended, by us or by the server. */
  const take = async (
    connection: Connection,
    ready: (send: SendAppend) => void,
    ending: AbortSignal,
  ): Promise<void> => {
    const isOffered = await offersBatchAppend(connection, timeoutMs);
    if (ending.aborted) throw ending.reason; // there was another connection before it was told
    if (isOffered) {
      const { append, over } = startBatchCall(connection, { timeoutMs, ending });
      ready(append);
      return over;
    }
    log?.warn('EventStoreDB does not offer batch append: each append takes a call of its own.');
    ready(plain);
    return new Promise((over) => ending.addEventListener('abort', () => over(), { once: true }));
  };

  const openWay = (): Way => {
    const ending = new AbortController();
    const end = (why: string): void => ending.abort(new BatchCallEnded(why));
    const taken = (ready: (send: SendAppend) => void) =>
      open.call(async (connection) => {
        const offConnected = open.onConnected(() => end('there is a new connection'));
        await take(connection, ready, ending.signal).finally(offConnected);
      });
    const send = new Promise<SendAppend>((ready, failed) => {
      const forget = (): void => {
        if (way === opened) way = undefined;
      };
      taken(ready)
        .finally(forget)
        .then(() => failed(new BatchCallEnded('it was not begun')), failed);
    });
    send.catch(() => undefined); // those who wait for it hear of it
    const opened = { send, end };
    return opened;
  };

  return {
    send: async (append) => {
      way ??= openWay();
      const limit = { server: 'EventStoreDB', what: `append to ${append.stream}`, timeoutMs } as const;
      const send = await withinTime(limit, way.send);
      return send(append);
    },
    close: () => way?.end('the store was closed'),
  };
}
