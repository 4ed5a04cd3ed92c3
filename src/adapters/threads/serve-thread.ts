import { type MessagePort, parentPort } from 'node:worker_threads';
import { describeError, type FromThread, type ThreadCalls, type ToThread } from './thread-messages.ts';

export interface ThreadService<Calls extends ThreadCalls> {
  readonly calls: Calls;
  /** Called once, after every call has been answered. */
  readonly close: () => void | Promise<void>;
}

/** The thread's side of `startThread`. A throw in `start` is a start-up error; a throw in a call rejects that call. */
export async function serveThread<Calls extends ThreadCalls>(
  start: () => ThreadService<Calls> | Promise<ThreadService<Calls>>,
): Promise<void> {
  const port = parentPort;
  if (port === null) throw new Error('serveThread belongs into a worker thread.');
  const send = (message: FromThread) => port.postMessage(message);
  // Told as a message because an error of SQLite arrives without its text when Node reports it.
  process.on('uncaughtException', (error) => {
    send({ kind: 'died', error: describeError(error) });
    process.exit(1); // ends this thread, not the process
  });

  // Whoever started it does not want it any more.
  const leave = (message: ToThread) => {
    if (message.kind === 'close') process.exit(0);
  };
  port.on('message', leave);
  let service: ThreadService<Calls>;
  try {
    service = await start();
  } catch (error) {
    return send({ kind: 'failed', error: describeError(error) });
  }

  const running = new Set<Promise<void>>();
  const ports = new Set<MessagePort>([port]);
  const answer = async (to: MessagePort, id: number, name: string, input: unknown): Promise<void> => {
    const reply = (message: FromThread) => to.postMessage(message);
    try {
      const call = service.calls[name];
      if (call === undefined) throw new Error(`This thread has no call ${name}.`);
      reply({ kind: 'answer', id, output: await call(input as never) });
    } catch (error) {
      reply({ kind: 'refusal', id, error: describeError(error) });
    }
  };
  const close = async (): Promise<void> => {
    await Promise.all(running);
    await service.close();
    for (const each of ports) each.close();
  };
  const join = (joining: MessagePort): void => {
    ports.add(joining);
    joining.on('message', listenTo(joining));
    joining.once('close', () => ports.delete(joining));
  };
  const listenTo = (from: MessagePort) => (message: ToThread) => {
    if (message.kind === 'close') return void close();
    if (message.kind === 'join') return join(message.port);
    const run = answer(from, message.id, message.name, message.input).finally(() => running.delete(run));
    running.add(run);
  };

  port.off('message', leave);
  port.on('message', listenTo(port));
  send({ kind: 'serving' });
}

/** A failure of a part ends the thread with its reason; whoever started it decides what follows. */
export const dieOf = (error: unknown): void => {
  process.nextTick(() => {
    throw error;
  });
};
