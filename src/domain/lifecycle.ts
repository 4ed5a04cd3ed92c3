/** Where an org, product or source stands. `absent` = no event yet; a deleted one can be restored. */
export type Lifecycle = 'absent' | 'live' | 'deleted';

export interface Lifetime {
  readonly lifecycle: Lifecycle;
  readonly hidden: boolean;
  readonly createdAt: string;
  readonly deletedAt: string | null;
}

export const unborn: Lifetime = { lifecycle: 'absent', hidden: false, createdAt: '', deletedAt: null };

/** Days within which a soft-deleted entity can be restored; afterwards it is purged. */
export const restoreDays = 30;
