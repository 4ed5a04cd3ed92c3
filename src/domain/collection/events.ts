import type { DomainEvent } from '../../kernel/event.ts';

export interface CollectionFields {
  readonly slug: string;
  readonly name: string;
  readonly description: string | null;
  readonly isFeatured: boolean;
}

/** An org or a product. */
export interface CollectionMember {
  readonly id: string;
  /** Members without one follow those that have one. */
  readonly position: number | null;
}

export type CollectionCreated = DomainEvent<'CollectionCreated.v1', CollectionFields & { createdAt: string }>;
/** Holds the changed fields only, each with its whole new value. */
export type CollectionChanged = DomainEvent<'CollectionChanged.v1', { changed: Partial<CollectionFields> }>;
/** For good. */
export type CollectionDeleted = DomainEvent<'CollectionDeleted.v1', { deletedAt: string }>;
export type CollectionMembersReplaced = DomainEvent<
  'CollectionMembersReplaced.v1',
  { members: readonly CollectionMember[] }
>;
export type CollectionMemberAdded = DomainEvent<'CollectionMemberAdded.v1', { member: CollectionMember }>;
export type CollectionMemberRemoved = DomainEvent<'CollectionMemberRemoved.v1', { memberId: string }>;

export type CollectionEvent =
  | CollectionCreated
  | CollectionChanged
  | CollectionDeleted
  | CollectionMembersReplaced
  | CollectionMemberAdded
  | CollectionMemberRemoved;
