import { setFlagsFromString } from 'node:v8';

/**
 * How much more than what is in use the heap of each thread may hold before it is collected whole. Left alone, V8 lets garbage
 * grow to a multiple: several hundred megabytes in a process that lives long, or that goes through long texts.
 */
const heapGrowingPercent = 40;

/** From now on, in every thread of this process. */
export const limitGarbage = (): void => setFlagsFromString(`--heap-growing-percent=${heapGrowingPercent}`);
