import type { MessagePort } from 'node:worker_threads';
import type { Calling } from './thread.ts';
import { type FromThread, restoreError, type ThreadCalls, type ToThread } from './thread-messages.ts';

interface Pending {
  readonly resolve: (value: never) => void;
  readonly reject: (reason: Error) => void;
}

/** Calls a thread that somebody else has started and will end, over what its `share` gave. */
export function joinThread<Calls extends ThreadCalls>(name: string, port: MessagePort): Calling<Calls> {
  const pending = new Map<number, Pending>();
  let lastId = 0;
  let ended: Error | undefined;
  let closing: Promise<void> | undefined;
  let onIdle: () => void = () => undefined;

  const settle = (id: number, how: (waiting: Pending) => void): void => {
    const waiting = pending.get(id);
    pending.delete(id);
    if (waiting !== undefined) how(waiting);
    if (pending.size === 0) onIdle();
  };
  port.on('message', (message: FromThread) => {
    if (message.kind === 'answer') settle(message.id, ({ resolve }) => resolve(message.output as never));
    if (message.kind === 'refusal') settle(message.id, ({ reject }) => reject(restoreError(message.error)));
  });
  port.once('close', () => {
    const reason = new Error(`The ${name} thread ended.`);
    ended = reason;
    for (const id of [...pending.keys()]) settle(id, ({ reject }) => reject(reason));
  });

  return {
    call: (call, input, transfer = []) =>
      new Promise((resolve, reject) => {
        if (ended !== undefined) return reject(ended);
        if (closing !== undefined) return reject(new Error(`The way to the ${name} thread is closed.`));
        lastId += 1;
        pending.set(lastId, { resolve, reject });
        port.postMessage({ kind: 'call', id: lastId, name: call, input } satisfies ToThread, [...transfer]);
      }),
    close: () => {
      closing ??= (async () => {
        if (pending.size > 0) {
          await new Promise<void>((resolve) => {
            onIdle = resolve;
          });
        }
        port.close();
      })();
      return closing;
    },
  };
}
