import { dayMs } from '../kernel/dates.ts';

/** Where an org, product or source stands. `absent` = no event yet; a deleted one can be restored, a purged one cannot. */
export type Lifecycle = 'absent' | 'live' | 'deleted' | 'purged';

export interface Lifetime {
  readonly lifecycle: Lifecycle;
  readonly hidden: boolean;
  readonly createdAt: string;
  readonly deletedAt: string | null;
}

export const unborn: Lifetime = { lifecycle: 'absent', hidden: false, createdAt: '', deletedAt: null };

/** Nothing is left of a purged entity but that it was there. */
export const purgedAt = (at: string): Lifetime => ({ ...unborn, lifecycle: 'purged', deletedAt: at });

/** How long a soft-deleted entity can be restored; afterwards it is purged (contract 15.3). */
const restoreMs = 30 * dayMs;

/** From this moment on it can no longer be restored. */
export const expiresAtMs = (deletedAt: string): number => Date.parse(deletedAt) + restoreMs + 1;

/** Whether the time is over within which a deleted entity could be restored. */
export const isExpired = ({ deletedAt }: Pick<Lifetime, 'deletedAt'>, now: string): boolean =>
  deletedAt !== null && Date.parse(now) >= expiresAtMs(deletedAt);
