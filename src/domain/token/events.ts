import type { DomainEvent } from '../../kernel/event.ts';
import type { PrincipalType, TokenScope } from '../enumerations.ts';

/** A machine token; of the secret only its hash is known. */
export type TokenIssued = DomainEvent<
  'TokenIssued.v1',
  {
    name: string;
    scopes: readonly TokenScope[];
    principalType: PrincipalType;
    principalId: string | null;
    /** Prefix and first characters, for people to tell tokens apart. */
    start: string;
    secretSha256: string;
    expiresAt: string | null;
    createdBy: string;
    createdAt: string;
  }
>;
export type TokenChanged = DomainEvent<
  'TokenChanged.v1',
  { changed: { name?: string; scopes?: readonly TokenScope[]; expiresAt?: string | null } }
>;
export type TokenRevoked = DomainEvent<'TokenRevoked.v1', { revokedAt: string }>;

export type TokenEvent = TokenIssued | TokenChanged | TokenRevoked;
