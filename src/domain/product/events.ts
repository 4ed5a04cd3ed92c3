import type { DomainEvent } from '../../kernel/event.ts';
import type { EntityNotice } from '../entity-notice.ts';
import type { Category, Kind } from '../enumerations.ts';

export interface ProductFields {
  readonly name: string;
  readonly url: string | null;
  readonly description: string | null;
  readonly category: Category | null;
  readonly kind: Kind | null;
  readonly avatarUrl: string | null;
  readonly tags: readonly string[];
  /** Domains; unlike an org's they may be shared. */
  readonly aliases: readonly string[];
  readonly notice: EntityNotice | null;
}

/** A product's slug never changes (contract 14.2). */
export type ProductCreated = DomainEvent<
  'ProductCreated.v1',
  ProductFields & { orgId: string; slug: string; createdAt: string }
>;
export type ProductChanged = DomainEvent<'ProductChanged.v1', { changed: Partial<ProductFields> }>;
export type ProductHidden = DomainEvent<'ProductHidden.v1', { hiddenAt: string }>;
export type ProductUnhidden = DomainEvent<'ProductUnhidden.v1', { unhiddenAt: string }>;
/** Its sources stay, without a product, and keep the link for a restore. */
export type ProductDeleted = DomainEvent<'ProductDeleted.v1', { deletedAt: string }>;
export type ProductRestored = DomainEvent<'ProductRestored.v1', { restoredAt: string }>;
/** Gone for good; its sources stay, without a product. Comes first, then its text is truncated away; it holds none. */
export type ProductPurged = DomainEvent<'ProductPurged.v1', { orgId: string; purgedAt: string }>;

export type ProductEvent =
  | ProductCreated
  | ProductChanged
  | ProductHidden
  | ProductUnhidden
  | ProductDeleted
  | ProductRestored
  | ProductPurged;
