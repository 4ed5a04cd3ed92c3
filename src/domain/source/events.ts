import type { DomainEvent } from '../../kernel/event.ts';
import type { Discovery, FetchPriority, Kind, PackageEcosystem, SourceType } from '../enumerations.ts';

export interface PackageRef {
  readonly ecosystem: PackageEcosystem;
  /** Normalized. */
  readonly name: string;
}

export interface SourceFields {
  readonly slug: string;
  readonly name: string;
  readonly type: SourceType;
  readonly url: string;
  readonly productId: string | null;
  readonly kind: Kind | null;
  /** Asked for; of the siblings that asked, the one that asked last is the primary source. */
  readonly isPrimary: boolean;
  readonly discovery: Discovery;
  readonly fetchPriority: FetchPriority;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly packages: readonly PackageRef[];
}

/** A source never changes its org; null = standalone. */
export type SourceCreated = DomainEvent<'SourceCreated.v1', SourceFields & { orgId: string | null; createdAt: string }>;
export type SourceChanged = DomainEvent<
  'SourceChanged.v1',
  {
    changed: Partial<SourceFields>;
    /** Its product was deleted when it asked to be the primary source: it is one among those of its org without a product. */
    isPrimaryWithoutProduct?: true;
  }
>;
export type SourceHidden = DomainEvent<'SourceHidden.v1', { hiddenAt: string }>;
export type SourceUnhidden = DomainEvent<'SourceUnhidden.v1', { unhiddenAt: string }>;
export type SourceDeleted = DomainEvent<'SourceDeleted.v1', { deletedAt: string }>;
export type SourceRestored = DomainEvent<'SourceRestored.v1', { restoredAt: string }>;
/** Gone for good; its releases follow. Comes first, then its text is truncated away; it holds none. */
export type SourcePurged = DomainEvent<'SourcePurged.v1', { orgId: string | null; purgedAt: string }>;

export type SourceEvent =
  | SourceCreated
  | SourceChanged
  | SourceHidden
  | SourceUnhidden
  | SourceDeleted
  | SourceRestored
  | SourcePurged;
