import { createRenewedThread, type RenewedThread } from '../../threads/renewed-thread.ts';
import type { KeeperCalls } from './keeper-thread.ts';

export type Keeper = RenewedThread<KeeperCalls>;

/**
 * Does what reads or writes whole files in a thread of its own: whoever answers requests shall not stand still meanwhile.
 * It is needed after a crash and after an erasure only, so the first of these starts the thread.
 */
export const createKeeper = (): Keeper =>
  createRenewedThread<KeeperCalls>({ name: 'read-model keeper', beside: import.meta.url, module: 'keeper-thread' });
