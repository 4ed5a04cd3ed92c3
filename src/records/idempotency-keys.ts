import { createHash } from 'node:crypto';
import { DomainError, isDomainError } from '../kernel/errors.ts';
import type { Document } from '../kernel/projection.ts';
import type { Clock } from '../ports/clock.ts';
import type { Ids } from '../ports/ids.ts';
import type { Log } from '../ports/log.ts';
import type { OperationalCollection, OperationalStore } from '../ports/operational-store.ts';
import type { Seal } from './seal.ts';

/** What a repeat gives back, to the byte. */
export interface KeptAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** The release whose text the body holds. */
  readonly releaseId: string | null;
}

interface KeyClaim extends Document {
  readonly requestHash: string;
  readonly commandId: string;
  /** While the first request runs; a later one takes over when it has run out. */
  readonly leaseUntilMs: number;
  /** Sealed; null until there is an answer to keep. */
  readonly answer: string | null;
  readonly releaseId: string | null;
}

export interface IdempotentRequest {
  readonly key: string;
  /** Who asks: keys of different callers have nothing to do with each other. */
  readonly callerName: string;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly body: Uint8Array;
}

export type KeyOutcome =
  | { readonly kind: 'replay'; readonly answer: KeptAnswer }
  | { readonly kind: 'run'; readonly claim: RunningClaim };

export interface RunningClaim {
  /** The same for every try of this request, so that a crash and a retry are one command. */
  readonly commandId: string;
  /** Keeps the answer for repeats; null gives the key free for another try with the same commandId. */
  readonly finish: (answer: KeptAnswer | null) => Promise<void>;
}

export interface IdempotencyKeys {
  readonly begin: (request: IdempotentRequest) => Promise<KeyOutcome>;
  /** Of an erased release no answer is repeated. */
  readonly forget: (releaseId: string) => Promise<void>;
}

const collectionName = 'idempotency-keys';

export const idempotencyKeysDeclaration = { name: collectionName, indexes: { byRelease: ['releaseId'] } };

const forgetStep = 100;
const keptMs = 24 * 3_600_000;
const leaseMs = 30_000;
const keyForm = /^[\x21-\x7e]{8,255}$/;

const hashOf = (...parts: readonly (string | Uint8Array)[]): string => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part).update('\n');
  return hash.digest('hex');
};

export async function createIdempotencyKeys(deps: {
  readonly ops: OperationalStore;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly seal: Seal;
  readonly log: Log;
}): Promise<IdempotencyKeys> {
  const { ops, clock, ids, seal, log } = deps;
  const claims: OperationalCollection<KeyClaim> = await ops.collection<KeyClaim>(idempotencyKeysDeclaration);

  const put = (doc: KeyClaim, expected: number) =>
    ops.transact([{ kind: 'put', collection: collectionName, doc, expected, expiresAtMs: clock.nowMs() + keptMs }]);

  function running(doc: KeyClaim, revision: number): RunningClaim {
    const renewing = new AbortController();
    let current = revision;
    const renewal = (async () => {
      for (;;) {
        await clock.sleep(leaseMs / 3, renewing.signal);
        if (renewing.signal.aborted) return;
        const outcome = await put({ ...doc, leaseUntilMs: clock.nowMs() + leaseMs }, current);
        if (outcome !== 'written') return; // taken over: the other one answers from now on
        current += 1;
      }
    })().catch((error: unknown) => log.warn('the lease of an idempotency key could not be renewed', { error }));
    return {
      commandId: doc.commandId,
      finish: async (answer) => {
        renewing.abort();
        await renewal; // one that is on its way changes the revision
        const kept = answer === null ? null : seal.close(JSON.stringify(answer));
        await put({ ...doc, leaseUntilMs: 0, answer: kept, releaseId: answer?.releaseId ?? null }, current);
      },
    };
  }

  async function begin({ key, callerName, method, path, query, body }: IdempotentRequest): Promise<KeyOutcome> {
    if (!keyForm.test(key)) {
      throw new DomainError('invalid_parameter', {
        parameter: 'Idempotency-Key',
        reason: 'must have 8 to 255 visible ASCII characters',
      });
    }
    const id = hashOf(callerName, path, key);
    const requestHash = hashOf(method, path, query, body);
    for (;;) {
      const known = await claims.get(id);
      if (known === null) {
        const doc = {
          id,
          requestHash,
          commandId: ids.commandId(),
          leaseUntilMs: clock.nowMs() + leaseMs,
          answer: null,
          releaseId: null,
        };
        if ((await put(doc, 0)) === 'written') return { kind: 'run', claim: running(doc, 1) };
        continue; // another request with this key was a moment faster
      }
      if (known.doc.requestHash !== requestHash) throw new DomainError('idempotency_conflict');
      if (known.doc.answer !== null) {
        return { kind: 'replay', answer: JSON.parse(seal.open(known.doc.answer)) as KeptAnswer };
      }
      if (known.doc.leaseUntilMs > clock.nowMs()) throw new DomainError('idempotency_in_progress');
      const doc = { ...known.doc, leaseUntilMs: clock.nowMs() + leaseMs };
      if ((await put(doc, known.revision)) === 'written') {
        return { kind: 'run', claim: running(doc, known.revision + 1) };
      }
    }
  }

  return {
    begin: (request) =>
      begin(request).catch((error: unknown) => {
        if (isDomainError(error)) throw error;
        log.error('an idempotency key could not be looked up', { error });
        throw new DomainError('idempotency_unavailable');
      }),
    forget: async (releaseId) => {
      for (;;) {
        const held = await claims.query({ index: 'byRelease', equals: { releaseId }, limit: forgetStep });
        if (held.length === 0) return;
        await ops.transact(held.map(({ doc }) => ({ kind: 'delete', collection: collectionName, id: doc.id })));
      }
    },
  };
}
