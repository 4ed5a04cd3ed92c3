import { getPriority } from 'node:os';
import { workerData } from 'node:worker_threads';
import { serveThread } from '../../../src/adapters/threads/serve-thread.ts';
import { stepAside } from '../../../src/adapters/threads/step-aside.ts';
import { StartupError } from '../../../src/kernel/startup-error.ts';

export type ThreadChildCalls = {
  readonly double: (input: number) => number;
  readonly refuse: (input: { code: string }) => never;
  readonly hang: (input: null) => Promise<never>;
  readonly crash: (input: null) => Promise<never>;
  readonly exit: (input: null) => never;
  /** Its priority afterwards. */
  readonly stepAside: (input: 'asked' | 'unasked') => number;
};

/** What starter and thread tell each other without a turn of an event loop: how far the start is, how often it was closed. */
const told = workerData instanceof SharedArrayBuffer ? new Int32Array(workerData) : undefined;

/** Starts when it is told to, and says when it serves; its starter may be one that is busy. */
function meetStarter(steps: Int32Array): void {
  Atomics.store(steps, 0, 1);
  Atomics.wait(steps, 0, 1);
  setImmediate(() => {
    Atomics.store(steps, 0, 3);
    Atomics.notify(steps, 0);
  });
}

await serveThread<ThreadChildCalls>(() => {
  if (workerData === 'fail') throw new StartupError('The file is not ours.');
  if (told !== undefined) meetStarter(told);
  return {
    calls: {
      double: (input) => input * 2,
      refuse: ({ code }) => {
        throw Object.assign(new Error('refused'), { code });
      },
      hang: () => new Promise(() => {}),
      crash: () => {
        setImmediate(() => {
          throw new Error('out of order');
        });
        return new Promise(() => {});
      },
      exit: () => process.exit(3),
      stepAside: (work) => {
        stepAside(work);
        return getPriority();
      },
    },
    close: () => {
      if (workerData === 'fail-close') throw new Error('cannot let go');
      if (told !== undefined) Atomics.add(told, 1, 1);
    },
  };
});
