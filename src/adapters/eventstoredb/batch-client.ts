import type { AppendResult } from '@eventstore/db-client';
import { type OpenClient, openClient } from './client.ts';
import { ClientReplaced, failureKind } from './failure-kind.ts';
import type { SendAppend } from './server-calls.ts';
import { withinTime } from './time-limit.ts';
import { writeUnqueued } from './unqueued-writes.ts';

export interface BatchClient {
  readonly send: SendAppend;
  /** The last one who closes it ends the connection. */
  readonly close: () => Promise<void>;
}

interface Current {
  readonly open: OpenClient;
  /** Of the appends that wait for its answer. */
  readonly rejections: Set<(error: Error) => void>;
}

/**
 * An answer about one append, which has a type. After any other failure the client may never answer again, or always
 * with that failure: it asks only once what the server can do, and keeps the raw error.
 */
const isAnswer = (error: unknown): boolean =>
  ['conflict', 'refused'].includes(failureKind(error)) && typeof (error as { type?: unknown }).type === 'string';

function openBatchClient(url: string): OpenClient {
  const open = openClient(url);
  writeUnqueued(open.client);
  return open;
}

function createBatchClient(url: string, timeoutMs: number): BatchClient {
  let current: Current | undefined;
  let closing: Promise<void> | undefined;

  /** Its calls end before another client is made: their end would fail the other one's appends too. */
  const discard = (discarded: Current): void => {
    if (current !== discarded) return;
    current = undefined;
    for (const reject of discarded.rejections) reject(new ClientReplaced());
    closing = discarded.open.close().finally(() => {
      closing = undefined;
    });
  };

  const append = (client: Current, ...[stream, events, expectedRevision]: Parameters<SendAppend>) =>
    new Promise<AppendResult>((resolve, reject) => {
      client.rejections.add(reject);
      const answer = client.open.client.appendToStream(stream, events, { expectedRevision, deadline: timeoutMs });
      withinTime(`append to ${stream}`, timeoutMs, answer)
        .then(resolve, reject)
        .finally(() => client.rejections.delete(reject));
    });

  return {
    send: async (...call) => {
      while (closing !== undefined) await closing;
      current ??= { open: openBatchClient(url), rejections: new Set() };
      const client = current;
      try {
        return await append(client, ...call);
      } catch (error) {
        if (!isAnswer(error)) discard(client);
        throw error;
      }
    },
    close: async () => {
      if (current !== undefined) discard(current);
      await closing;
    },
  };
}

let shared: { readonly url: string; readonly client: BatchClient; users: number } | undefined;

/**
 * The client keeps the batch appends that wait for an answer in one map for the whole thread: when a stream of one client
 * breaks, it fails those of all others and then stumbles over their answers. So a thread has one at a time.
 */
export function shareBatchClient(url: string, timeoutMs: number): BatchClient {
  if (shared !== undefined && shared.url !== url) {
    throw new Error('Batch append can be used with one EventStoreDB server only in a process.');
  }
  shared ??= { url, client: createBatchClient(url, timeoutMs), users: 0 };
  const { client } = shared;
  shared.users += 1;
  let isUsed = true;
  return {
    send: client.send,
    close: async () => {
      if (!isUsed || shared?.client !== client) return;
      isUsed = false;
      shared.users -= 1;
      if (shared.users > 0) return;
      shared = undefined;
      await client.close();
    },
  };
}
