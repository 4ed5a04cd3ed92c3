import { createHash, timingSafeEqual } from 'node:crypto';
import { token } from '../domain/token/state.ts';
import { tokenIdOf } from '../domain/token/token-id.ts';
import { foldEvents } from '../kernel/model.ts';
import { streamOf } from '../kernel/stream-name.ts';
import type { EventStore } from '../ports/event-store.ts';
import type { Caller } from './caller.ts';

const anonymous: Caller = { kind: 'anonymous', invalidCredential: false };
const invalid: Caller = { kind: 'anonymous', invalidCredential: true };

/** `relk_` + 12 base-62 digits to find it by + `_` + 32 base-62 digits of secret (contract 12). */
const machineToken = /^relk_([0-9A-Za-z]{12})_([0-9A-Za-z]{32})$/;

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

export interface Authenticator {
  /** Reads the token from the event store each time, so that a revocation holds from the next request. */
  readonly identify: (authorization: string | undefined, nowMs: number) => Promise<Caller>;
}

export function createAuthenticator(deps: {
  readonly store: Pick<EventStore, 'read'>;
  readonly rootApiKey: string | undefined;
  /** Told of every use of a valid token. */
  readonly onTokenUsed: (tokenId: string, nowMs: number) => void;
}): Authenticator {
  // Hashes have one length, so comparing them tells nothing of the length of the key.
  const rootHash = deps.rootApiKey === undefined ? null : sha256(deps.rootApiKey);

  async function identifyToken(lookup: string, secret: string, nowMs: number): Promise<Caller> {
    const tokenId = tokenIdOf(lookup);
    const { events } = await deps.store.read(streamOf('token', tokenId));
    const state = foldEvents(token, events);
    if (state.status !== 'issued' || state.revokedAt !== null) return invalid;
    if (!timingSafeEqual(sha256(secret), Buffer.from(state.secretSha256, 'hex'))) return invalid;
    if (state.expiresAt !== null && Date.parse(state.expiresAt) <= nowMs) return invalid;
    deps.onTokenUsed(tokenId, nowMs);
    return { kind: 'token', tokenId, name: state.name, scopes: state.scopes, expiresAt: state.expiresAt };
  }

  return {
    identify: async (authorization, nowMs) => {
      if (authorization === undefined || authorization.trim() === '') return anonymous;
      const [, credential] = /^Bearer +(\S+)$/i.exec(authorization.trim()) ?? [];
      if (credential === undefined) return invalid;
      if (rootHash !== null && timingSafeEqual(sha256(credential), rootHash)) return { kind: 'root' };
      const [, lookup, secret] = machineToken.exec(credential) ?? [];
      return lookup === undefined || secret === undefined ? invalid : identifyToken(lookup, secret, nowMs);
    },
  };
}
