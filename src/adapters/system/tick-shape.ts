import { AsyncResource } from 'node:async_hooks';

/** Nobody reads them: they are there to be there. */
const held: object[] = [];

/** With a fraction, as far as V8 knows, which is how Node counts: the shape of an object with whole numbers is another one. */
const [counted] = new Float64Array(1);

/**
 * Keeps Node's `process.nextTick` as fast as it is in a small program; to be called at the start of a process.
 *
 * Node makes an object for each turn that waits, and an answer to a request takes six of them. V8 forgets the shape of objects
 * when it collects garbage while there is none of them; what it has learned about the code that makes them is then of no use,
 * and from there on each is put together step by step, for as long as the process runs: that takes five times as long, and
 * makes an answer that is ready a tenth dearer. A process that reads its catalogue at the start always comes to that. So
 * there is always one of them. Where Node makes them in another way, this one is of no use, and does no harm.
 */
export function holdTickShape(): object {
  const [id, trigger] = Object.getOwnPropertySymbols(new AsyncResource('tick-shape'));
  const tick = { [id!]: counted, [trigger!]: counted, callback: holdTickShape, args: undefined };
  held.push(tick);
  return tick;
}
