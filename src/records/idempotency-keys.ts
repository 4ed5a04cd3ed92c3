import { createHash } from 'node:crypto';
import { BackendUnavailable } from '../kernel/backend-unavailable.ts';
import { DomainError, invalidParameter, isDomainError } from '../kernel/errors.ts';
import type { Document } from '../kernel/projection.ts';
import type { Clock } from '../ports/clock.ts';
import type { Ids } from '../ports/ids.ts';
import type { Log } from '../ports/log.ts';
import type { OperationalCollection, OperationalStore } from '../ports/operational-store.ts';
import { createClaimHolder } from './claim-holder.ts';
import type { Seal } from './secrets/seal.ts';

/** What a repeat gives back, to the byte. */
export interface KeptAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** The releases and entities whose text the body holds. */
  readonly releaseIds: readonly string[];
}

interface KeyClaim extends Document {
  readonly requestHash: string;
  readonly commandId: string;
  /** The process in which the request runs; another one takes over when it is gone. Null when it runs nowhere. */
  readonly holder?: string | null;
  /** Of one try alone, whoever made it. */
  readonly attempt?: string;
  /** Sealed; null until there is an answer to keep. */
  readonly answer: string | null;
  /** One whose text the answer holds. */
  readonly releaseId: string | null;
}

/** Tells of one more release whose text an answer holds. */
interface TextMark extends Document {
  readonly releaseId: string;
  readonly claimId: string;
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
  /**
   * Keeps the answer for repeats; null gives the key free for another try with the same commandId. Where another process
   * took this one for dead, that one answers: what it kept is given back, or `idempotency_in_progress` is thrown.
   */
  readonly finish: (answer: KeptAnswer | null) => Promise<KeptAnswer | null>;
}

export interface IdempotencyKeys {
  readonly begin: (request: IdempotentRequest) => Promise<KeyOutcome>;
}

const collectionName = 'idempotency-keys';

export const idempotencyKeysDeclaration = { name: collectionName, indexes: { byRelease: ['releaseId'] } };

const forgetStep = 100;
const forgottenAtOnce = 50;
const keptMs = 24 * 3_600_000;
/** An outage that lasts longer leaves the claim to the end of its process. */
const freeTriesMax = 600;
const freeEveryMs = 1_000;
const keyForm = /^[\x21-\x7e]{8,255}$/;

const hashOf = (...parts: readonly (string | Uint8Array)[]): string => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part).update('\n');
  return hash.digest('hex');
};

async function forgetAnswersOf(
  ops: OperationalStore,
  claims: OperationalCollection<KeyClaim | TextMark>,
  id: string,
): Promise<void> {
  for (;;) {
    const kept = await claims.query({ index: 'byRelease', equals: { releaseId: id }, limit: forgetStep });
    if (kept.length === 0) return;
    // The marks of other releases in such an answer expire with it.
    const ids = new Set(kept.flatMap(({ doc }) => ('claimId' in doc ? [doc.claimId, doc.id] : [doc.id])));
    await ops.transact([...ids].map((each) => ({ kind: 'delete', collection: collectionName, id: each })));
  }
}

/** Drops the answers that hold the text of what is erased or purged: none of them is repeated. */
export async function forgetAnswers(ops: OperationalStore, ids: readonly string[]): Promise<void> {
  const claims = await ops.collection<KeyClaim | TextMark>(idempotencyKeysDeclaration);
  for (let from = 0; from < ids.length; from += forgottenAtOnce) {
    const some = ids.slice(from, from + forgottenAtOnce);
    await Promise.all(some.map((id) => forgetAnswersOf(ops, claims, id)));
  }
}

export async function createIdempotencyKeys(deps: {
  readonly ops: OperationalStore;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly seal: Seal;
  readonly log: Log;
}): Promise<IdempotencyKeys> {
  const { ops, clock, ids, seal, log } = deps;
  const holder = createClaimHolder({ leases: ops.leases, clock, name: ids.commandId(), log });
  const claims: OperationalCollection<KeyClaim> = await ops.collection<KeyClaim>(idempotencyKeysDeclaration);

  const put = (doc: KeyClaim, expected: number, marks: readonly TextMark[] = []) => {
    const kept = { kind: 'put', collection: collectionName, expiresAtMs: clock.nowMs() + keptMs } as const;
    return ops.transact([{ ...kept, doc, expected }, ...marks.map((mark) => ({ ...kept, doc: mark }))]);
  };

  const answerIn = ({ answer }: KeyClaim): KeptAnswer | null =>
    answer === null ? null : (JSON.parse(seal.open(answer)) as KeptAnswer);

  /**
   * After a write that failed, stored or not: other processes see only that this one lives, and would take the claim for
   * held. What a repeat has written meanwhile is left alone, also where it stands at the revision that this one expected.
   */
  async function giveFree({ id, attempt }: KeyClaim): Promise<void> {
    for (let tries = 0; tries < freeTriesMax; tries += 1) {
      try {
        const stored = await claims.get(id);
        if (stored === null || stored.doc.attempt !== attempt || stored.doc.holder === null) return;
        await put({ ...stored.doc, holder: null }, stored.revision);
        return;
      } catch (error) {
        if (!(error instanceof BackendUnavailable)) {
          log.warn('a claim of an idempotency key could not be given free', { error });
          return;
        }
      }
      await clock.sleep(freeEveryMs);
    }
  }

  /** Null when another request with this key was a moment faster. */
  async function run(claim: KeyClaim, revision: number): Promise<RunningClaim | null> {
    const doc = { ...claim, holder: holder.name, attempt: ids.commandId() };
    const stop = await holder.hold(claim.id);
    let isClaimed = false;
    try {
      isClaimed = (await put(doc, revision)) === 'written';
    } catch (error) {
      void giveFree(doc);
      throw error;
    } finally {
      if (!isClaimed) stop();
    }
    const finish: RunningClaim['finish'] = async (answer) => {
      const kept = answer === null ? null : seal.close(JSON.stringify(answer));
      const [releaseId = null, ...others] = answer?.releaseIds ?? [];
      const done = { ...doc, holder: null, answer: kept, releaseId };
      const marks = others.map((other) => ({ id: `${doc.id} ${other}`, releaseId: other, claimId: doc.id }));
      const outcome = await put(done, revision + 1, marks)
        .catch((error: unknown) => {
          void giveFree(doc);
          throw error;
        })
        .finally(stop);
      if (outcome === 'written') return null;
      const other = await claims.get(claim.id);
      const otherAnswer = other && answerIn(other.doc);
      if (otherAnswer === null) throw new DomainError('idempotency_in_progress');
      return otherAnswer;
    };
    return isClaimed ? { commandId: doc.commandId, finish } : null;
  }

  async function begin({ key, callerName, method, path, query, body }: IdempotentRequest): Promise<KeyOutcome> {
    if (!keyForm.test(key)) {
      const reason = 'must have 8 to 255 visible ASCII characters';
      throw invalidParameter({ parameter: 'Idempotency-Key', reason, value: key });
    }
    const id = hashOf(callerName, path, key);
    const requestHash = hashOf(method, path, query, body);
    for (;;) {
      const known = await claims.get(id);
      if (known === null) {
        const doc = { id, requestHash, commandId: ids.commandId(), answer: null, releaseId: null };
        const claim = await run(doc, 0);
        if (claim !== null) return { kind: 'run', claim };
        continue;
      }
      const { doc, revision } = known;
      if (doc.requestHash !== requestHash) throw new DomainError('idempotency_conflict');
      const answer = answerIn(doc);
      if (answer !== null) return { kind: 'replay', answer };
      if (doc.holder != null && (await holder.isHeld(doc.id, doc.holder)))
        throw new DomainError('idempotency_in_progress');
      const claim = await run(doc, revision);
      if (claim !== null) return { kind: 'run', claim };
    }
  }

  return {
    begin: (request) =>
      begin(request).catch((error: unknown) => {
        if (isDomainError(error)) throw error;
        log.error('an idempotency key could not be looked up', { error });
        throw new DomainError('idempotency_unavailable');
      }),
  };
}
