import { executionAsyncResource } from 'node:async_hooks';

/** Nobody reads them: they are there to be there. */
const held: object[] = [];

/**
 * Keeps Node's `process.nextTick` as fast as it is in a small program; to be called at the start of a process.
 *
 * Node makes an object for each turn that waits, and an answer to a request takes six of them. V8 forgets the shape of objects
 * when it collects garbage while there is none of them; what it has learned about the code that makes them is then of no use,
 * and from there on each is put together step by step, for as long as the process runs: that takes five times as long, and
 * makes an answer that is ready a tenth dearer. A process that reads its catalogue at the start always comes to that. So
 * one of them, as Node has made it, is always there.
 */
export const holdTickShape = (): Promise<object> =>
  new Promise((resolve) =>
    process.nextTick(() => {
      const tick = executionAsyncResource();
      held.push(tick);
      resolve(tick);
    }),
  );
