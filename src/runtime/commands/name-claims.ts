import type { Abandoned, ClaimForfeited, NameClaimed, NameEvent, NameReleased } from '../../domain/name/events.ts';
import { compareCodeUnits } from '../../domain/alphabetical.ts';
import type { NameOwner } from '../../domain/name/name-owners.ts';
import { name as nameModel, type NameState } from '../../domain/name/state.ts';
import type { CommandRequest, NameCandidate, NameWish } from '../../kernel/command.ts';
import { DomainError } from '../../kernel/errors.ts';
import type { DomainEvent } from '../../kernel/event.ts';
import { parseStream } from '../../kernel/stream-name.ts';
import type { EventStore } from '../../ports/event-store.ts';
import type { LoadedStream } from './loaded-stream.ts';
import { newEvents } from './new-events.ts';
import type { AppendedEvents, StreamLoader } from './stream-loader.ts';

/** A younger claim whose owner does not hold it yet is left alone: its writer is probably just behind. */
const courtesyMs = 60_000;

/** Of a wish whose first candidate is taken. */
const candidatesAtOnce = 4;

type Owner = LoadedStream<unknown>;
type Claim = LoadedStream<NameState>;

/** One that was just made, as its own version. */
type OwnClaim = Pick<Claim, 'stream' | 'version'>;

/** Fences the owner of a claim, so that it cannot use the claim any more: an event at the version that was judged. */
interface Fence {
  readonly stream: string;
  readonly expectedVersion: number;
  readonly event: Abandoned | ClaimForfeited;
}

interface PlannedName {
  readonly key: string;
  readonly value: string;
  readonly stream: string;
  /** What the claim is appended behind; null when the owner holds the name already. */
  readonly behind: Claim | null;
  readonly fence: Fence | null;
}

export interface NamePlan {
  readonly names: readonly PlannedName[];
  readonly values: Readonly<Record<string, string>>;
  /** Claims of names that the owner held before and does not wish for any more, as they were seen. */
  readonly superseded: readonly Claim[];
}

/** Who claims, and as part of what; what is stored carries that moment. */
export interface Claimant {
  /** The owner's stream. */
  readonly owner: string;
  readonly request: CommandRequest;
  readonly now: string;
}

export interface NameClaims {
  /** Reads only. Throws `conflict` when a wish has no free candidate. */
  readonly plan: (wishes: Readonly<Record<string, NameWish>>, owner: Owner, nowMs: number) => Promise<NamePlan>;
  /** False when somebody was faster: plan again. What was claimed before that is free again then, if it can be. */
  readonly claim: (plan: NamePlan, owner: Owner, claimant: Claimant) => Promise<boolean>;
  /** Frees what the owner gave up. What a crash leaves behind is taken over by fencing. */
  readonly releaseSuperseded: (plan: NamePlan, claimant: Claimant) => Promise<void>;
}

const streamsOf = (candidates: readonly NameCandidate[]): string[] => candidates.map(({ stream }) => stream);

/** The same for everybody: of two who want the same names, whoever gets the first gets the others. */
const inOneOrder = (names: readonly PlannedName[]): PlannedName[] =>
  [...names].sort((a, b) => compareCodeUnits(a.stream, b.stream));

export function createNameClaims(deps: {
  readonly store: Pick<EventStore, 'append'>;
  readonly streams: StreamLoader;
  readonly nameOwners: Readonly<Record<string, NameOwner>>;
}): NameClaims {
  const { store, streams, nameOwners } = deps;

  const kindOf = (stream: string): NameOwner => {
    const kind = nameOwners[parseStream(stream).category];
    if (kind === undefined) throw new Error(`streams like ${stream} own no names`);
    return kind;
  };
  const namesHeldBy = ({ stream, state }: Owner): readonly string[] => kindOf(stream).names(state);

  const hasForfeited = ({ mark }: Owner, { stream, version }: Claim): boolean =>
    (mark.forfeited[stream] ?? 0) >= version;

  /** What it takes to claim a name that another owner has claimed; null when that owner keeps it. */
  function judgeClaim(claim: Claim, holder: Owner, ageMs: number): { fence: Fence | null } | null {
    if (holder.mark.isAbandoned || hasForfeited(holder, claim)) return { fence: null };
    const held = namesHeldBy(holder);
    if (held.includes(claim.stream)) return null;
    const isYoung = ageMs < courtesyMs;
    if (holder.version === 0) {
      if (isYoung) return null;
      const event: Abandoned = { type: 'Abandoned.v1', data: { name: claim.stream } };
      return { fence: { stream: holder.stream, expectedVersion: 0, event } };
    }
    const isDeleted = held.length === 0;
    if (isYoung && !isDeleted) return null;
    const event: ClaimForfeited = {
      type: 'ClaimForfeited.v1',
      data: { name: claim.stream, claimVersion: claim.version },
    };
    return { fence: { stream: holder.stream, expectedVersion: holder.version, event } };
  }

  async function planCandidate(
    claim: Claim,
    owner: Owner,
    nowMs: number,
  ): Promise<Pick<PlannedName, 'behind' | 'fence'> | null> {
    const { owner: holder, claimedAt } = claim.state;
    if (holder === null || claimedAt === null) return { behind: claim, fence: null };
    if (holder === owner.stream) {
      const keeps = namesHeldBy(owner).includes(claim.stream) && !hasForfeited(owner, claim);
      // A claim that the owner does not live on yet is made anew, so that a release or take-over under way fails.
      return { behind: keeps ? null : claim, fence: null };
    }
    const loaded = await streams.load({ stream: holder, model: kindOf(holder).model });
    const verdict = judgeClaim(claim, loaded, nowMs - Date.parse(claimedAt));
    return verdict && { behind: claim, fence: verdict.fence };
  }

  /** Null when the version of the stream had moved. */
  async function appendAt(
    { stream, expectedVersion }: Pick<Fence, 'stream' | 'expectedVersion'>,
    added: readonly DomainEvent[],
    { request, now }: Claimant,
  ): Promise<AppendedEvents | null> {
    const events = newEvents(added, { stream, expectedVersion }, request, now);
    const appended = await store.append({ stream, expectedVersion, events });
    return appended.outcome === 'conflict' ? null : { events, position: appended.position };
  }

  async function appendBehind(claim: Claim, event: NameEvent, claimant: Claimant): Promise<boolean> {
    const appended = await appendAt({ stream: claim.stream, expectedVersion: claim.version }, [event], claimant);
    if (appended !== null) streams.stored(nameModel, claim, appended);
    return appended !== null;
  }

  /**
   * Frees what was claimed for a write that does not come. Fenced first, as everybody would who takes a claim over:
   * another command of the same owner may be about to live on these names.
   */
  async function giveBack(claimed: readonly OwnClaim[], owner: Owner, claimant: Claimant): Promise<void> {
    const [first] = claimed;
    if (first === undefined) return;
    const abandoned: Abandoned = { type: 'Abandoned.v1', data: { name: first.stream } };
    const forfeited = claimed.map(
      ({ stream, version }): ClaimForfeited => ({
        type: 'ClaimForfeited.v1',
        data: { name: stream, claimVersion: version },
      }),
    );
    const fence = { stream: owner.stream, expectedVersion: owner.version };
    if ((await appendAt(fence, owner.version === 0 ? [abandoned] : forfeited, claimant)) === null) return;
    const event: NameReleased = { type: 'NameReleased.v1', data: { owner: claimant.owner } };
    for (const { stream, version } of claimed) await appendAt({ stream, expectedVersion: version }, [event], claimant);
  }

  return {
    plan: async (wishes, owner, nowMs) => {
      const heldBefore = namesHeldBy(owner);
      const claims = new Map<string, Claim>();
      const read = async (names: readonly string[]): Promise<void> => {
        const unread = [...new Set(names)].filter((stream) => !claims.has(stream));
        const loaded = await streams.loadAll(unread.map((stream) => ({ stream, model: nameModel })));
        for (const claim of loaded) claims.set(claim.stream, claim);
      };
      // Mostly the first of the candidates is free: the others are read when it is not, some at a time.
      const first = Object.values(wishes).flatMap(({ candidates }) => candidates.slice(0, 1));
      await read([...streamsOf(first), ...heldBefore]);
      const planned: PlannedName[] = [];
      for (const [key, wish] of Object.entries(wishes)) {
        let chosen: PlannedName | null = null;
        for (const [index, candidate] of wish.candidates.entries()) {
          if (planned.some((other) => other.stream === candidate.stream)) {
            chosen = { key, ...candidate, behind: null, fence: null };
            break;
          }
          if (!claims.has(candidate.stream))
            await read(streamsOf(wish.candidates.slice(index, index + candidatesAtOnce)));
          const found = await planCandidate(claims.get(candidate.stream)!, owner, nowMs);
          if (found === null) continue;
          chosen = { key, ...candidate, ...found };
          break;
        }
        if (chosen === null) {
          throw new DomainError('conflict', { field: wish.field, value: wish.candidates[0]?.value });
        }
        planned.push(chosen);
      }
      const kept = new Set(planned.map(({ stream }) => stream));
      return {
        names: planned,
        values: Object.fromEntries(planned.map(({ key, value }) => [key, value])),
        superseded: heldBefore
          .map((stream) => claims.get(stream)!)
          .filter((claim) => !kept.has(claim.stream) && claim.state.owner === owner.stream),
      };
    },

    claim: async ({ names }, owner, claimant) => {
      const event: NameClaimed = { type: 'NameClaimed.v1', data: { owner: claimant.owner } };
      const claimed: OwnClaim[] = [];
      for (const { behind, fence } of inOneOrder(names)) {
        if (behind === null) continue;
        const isFree = fence === null || (await appendAt(fence, [fence.event], claimant)) !== null;
        if (!isFree || !(await appendBehind(behind, event, claimant))) {
          await giveBack(claimed, owner, claimant);
          return false;
        }
        claimed.push({ stream: behind.stream, version: behind.version + 1 });
      }
      return true;
    },

    releaseSuperseded: async ({ superseded }, claimant) => {
      const event: NameReleased = { type: 'NameReleased.v1', data: { owner: claimant.owner } };
      // At the version seen before: if the owner has claimed the name anew meanwhile, this release comes too late.
      for (const claim of superseded) await appendBehind(claim, event, claimant);
    },
  };
}
