import { publish } from './publication.ts';
import { timestamp } from './values.ts';

// The same for orgs, products and sources: when it happened.

export const hidden = publish({ hiddenAt: timestamp }, ({ hiddenAt }: { hiddenAt: string }) => ({ hiddenAt }));
export const unhidden = publish({ unhiddenAt: timestamp }, ({ unhiddenAt }: { unhiddenAt: string }) => ({
  unhiddenAt,
}));
export const deleted = publish({ deletedAt: timestamp }, ({ deletedAt }: { deletedAt: string }) => ({ deletedAt }));
export const purged = publish({ purgedAt: timestamp }, ({ purgedAt }: { purgedAt: string }) => ({ purgedAt }));
export const restored = publish({ restoredAt: timestamp }, ({ restoredAt }: { restoredAt: string }) => ({
  restoredAt,
}));
