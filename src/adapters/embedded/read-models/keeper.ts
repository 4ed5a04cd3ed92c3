import { type Output, startThread, type Thread } from '../../threads/thread.ts';
import type { KeeperCalls } from './keeper-thread.ts';

export interface Keeper {
  readonly call: <Name extends keyof KeeperCalls>(
    name: Name,
    input: Parameters<KeeperCalls[Name]>[0],
  ) => Promise<Output<KeeperCalls[Name]>>;
  readonly close: () => Promise<void>;
}

/**
 * Does what reads or writes whole files in a thread of its own: whoever answers requests shall not stand still meanwhile.
 * It is needed after a crash and after an erasure only, so the first of these starts the thread.
 */
export function createKeeper(): Keeper {
  let starting: Promise<Thread<KeeperCalls>> | undefined;
  let isClosed = false;
  const forget = () => {
    starting = undefined; // the calls in hand are rejected with the reason, the next one starts another thread
  };
  const start = (): Promise<Thread<KeeperCalls>> => {
    const thread = startThread<KeeperCalls>({
      name: 'read-model keeper',
      beside: import.meta.url,
      module: 'keeper-thread',
      onExit: forget,
    });
    thread.catch(forget);
    return thread;
  };
  return {
    call: async (name, input) => {
      if (isClosed) throw new Error('The read models are closed.');
      return (await (starting ??= start())).call(name, input as never);
    },
    close: async () => {
      isClosed = true;
      const thread = await starting?.catch(() => undefined); // who called it was told why it could not start
      await thread?.close();
    },
  };
}
