import type { Upcaster } from '../kernel/event-codec.ts';

/** One row for each event version that is no longer written: how its data becomes the next version's. */
export const upcasters: readonly Upcaster[] = [];
