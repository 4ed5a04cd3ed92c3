import type { TokenScope } from '../domain/enumerations.ts';

/** The ladder: a higher rung satisfies the lower ones; `*` is the root key. */
const ladder = ['read', 'write', 'admin', '*'] as const;

export type Rung = (typeof ladder)[number];

/** Who sent a request. Never holds the credential itself. */
export type Caller =
  | {
      readonly kind: 'anonymous';
      /** A credential came along that is no good: a hint on public reads, 401 elsewhere. */
      readonly invalidCredential: boolean;
    }
  | { readonly kind: 'root' }
  | {
      readonly kind: 'token';
      readonly tokenId: string;
      readonly name: string;
      readonly scopes: readonly TokenScope[];
      readonly expiresAt: string | null;
    };

export const scopesOf = (caller: Caller): readonly Rung[] => {
  if (caller.kind === 'root') return ['*'];
  return caller.kind === 'token' ? caller.scopes : [];
};

export const satisfies = (caller: Caller, needed: Rung): boolean =>
  scopesOf(caller).some((scope) => ladder.indexOf(scope) >= ladder.indexOf(needed));

export const isAdmin = (caller: Caller): boolean => satisfies(caller, 'admin');

/** How events name who did it. */
export const actorOf = (caller: Caller): string => {
  if (caller.kind === 'token') return `token:${caller.tokenId}`;
  return caller.kind === 'root' ? 'root' : 'anonymous';
};
