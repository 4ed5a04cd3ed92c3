import { v4 as uuid } from 'uuid';
import { appendBytesMax } from '../../ports/event-store.ts';
import type { Random } from '../../ports/random.ts';
import { createPlainSender } from './append-sender.ts';
import { openClient } from './client.ts';
import { readConnectionString } from './connection-string.ts';
import { failureKind, portError } from './failure-kind.ts';
import { readEvents } from './read-events.ts';
import { impossibleRevision } from './stream-versions.ts';
import { withinTime } from '../within-time.ts';
import { allRequest } from './wire/read-request.ts';

export interface EventStoreDbProbeOptions {
  readonly url: string;
  readonly random: Random;
  readonly timeoutMs?: number;
}

export interface EventStoreDbProbe {
  /** Also reads from all events, which needs more rights than reading a stream. Fails as the store's calls do. */
  readonly reach: () => Promise<{ readonly serverVersion: string | null }>;
  /** Whether the server takes appends of `appendBytesMax`. Nothing is stored for it. */
  readonly appendLimitOk: () => Promise<boolean>;
  readonly close: () => Promise<void>;
}

const paddingOf = (bytes: number): string => JSON.stringify({ text: 'x'.repeat(bytes - '{"text":""}'.length) });

/** Looks at a server without leaving anything there; tries nothing twice. */
export function createEventStoreDbProbe(options: EventStoreDbProbeOptions): EventStoreDbProbe {
  const { random, timeoutMs = 5000 } = options;
  const settings = readConnectionString(options.url, timeoutMs);
  const { client, callAnyNode, close } = openClient(settings.url);
  const send = createPlainSender(client, settings, timeoutMs);

  return {
    reach: async () => {
      try {
        const { serverVersion } = await withinTime(
          { server: 'EventStoreDB', what: 'tell its version', timeoutMs },
          client['capabilities'],
        );
        const request = allRequest({ limit: 1 });
        await readEvents(callAnyNode, { what: 'read all events', request, timeoutMs }, () => true);
        return { serverVersion: serverVersion === 'unknown' ? null : serverVersion };
      } catch (error) {
        throw portError(error, 'be reached');
      }
    },
    appendLimitOk: async () => {
      const event = {
        id: uuid({ random: random.bytes(16) }),
        type: '$append-limit-asked',
        data: paddingOf(appendBytesMax),
        metadata: '',
      };
      try {
        // The server looks at the size before it looks at the revision, and refuses for one or the other.
        await send({ stream: 'doctor-append-limit', events: [event], expectedRevision: impossibleRevision });
      } catch (error) {
        if (failureKind(error) === 'conflict') return true;
        if ((error as { type?: unknown }).type === 'maximum-append-size-exceeded') return false;
        throw portError(error, 'append');
      }
      throw new Error('EventStoreDB has taken an append at a revision that its stream cannot have.');
    },
    close,
  };
}
