import type { Abandoned, ClaimForfeited, NameClaimed, NameReleased } from '../../domain/name/events.ts';
import type { NameOwner } from '../../domain/name/name-owners.ts';
import { name as nameModel } from '../../domain/name/state.ts';
import type { CommandRequest, NameWish } from '../../kernel/command.ts';
import { DomainError } from '../../kernel/errors.ts';
import type { DomainEvent } from '../../kernel/event.ts';
import { foldEvents } from '../../kernel/model.ts';
import { parseStream } from '../../kernel/stream-name.ts';
import type { EventStore, StreamSlice } from '../../ports/event-store.ts';
import { newEvents } from './new-events.ts';

/** A younger claim whose owner does not hold it yet is left alone: its writer is probably just behind. */
const courtesyMs = 60_000;

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
  /** The claim is appended at this version of the name's stream; null when the owner holds the name already. */
  readonly claimAt: number | null;
  readonly fence: Fence | null;
}

export interface NamePlan {
  readonly names: readonly PlannedName[];
  readonly values: Readonly<Record<string, string>>;
  /** Claims of names that the owner held before and does not wish for any more, at the version they were seen. */
  readonly superseded: readonly { readonly stream: string; readonly version: number }[];
}

export interface NameClaims {
  /** Reads only. Throws `conflict` when a wish has no free candidate. */
  readonly plan: (wishes: Readonly<Record<string, NameWish>>, owner: StreamSlice, nowMs: number) => Promise<NamePlan>;
  /** False when somebody was faster: plan again. */
  readonly claim: (plan: NamePlan, owner: string, request: CommandRequest, now: string) => Promise<boolean>;
  /** Frees what the owner gave up. What a crash leaves behind is taken over by fencing. */
  readonly releaseSuperseded: (plan: NamePlan, owner: string, request: CommandRequest, now: string) => Promise<void>;
}

export const isAbandoned = (slice: StreamSlice): boolean => slice.events[0]?.type === 'Abandoned.v1';

/** The highest claim number of that name which the owner has lost. */
function forfeitedClaim(owner: StreamSlice, name: string): number {
  let highest = 0;
  for (const event of owner.events) {
    if (event.type !== 'ClaimForfeited.v1') continue;
    const data = event.data as ClaimForfeited['data'];
    if (data.name === name) highest = Math.max(highest, data.claimVersion);
  }
  return highest;
}

export function createNameClaims(store: EventStore, nameOwners: Readonly<Record<string, NameOwner>>): NameClaims {
  const namesHeldBy = (owner: StreamSlice): readonly string[] => {
    const kind = nameOwners[parseStream(owner.stream).category];
    if (kind === undefined) throw new Error(`streams like ${owner.stream} own no names`);
    return kind.names(foldEvents(kind.model, owner.events));
  };

  /** What it takes to claim a name that another owner has claimed; null when that owner keeps it. */
  function judgeClaim(
    claim: StreamSlice,
    holder: StreamSlice,
    claimedAt: string,
    nowMs: number,
  ): { fence: Fence | null } | null {
    if (isAbandoned(holder) || forfeitedClaim(holder, claim.stream) >= claim.version) return { fence: null };
    const held = namesHeldBy(holder);
    if (held.includes(claim.stream)) return null;
    const isYoung = nowMs - Date.parse(claimedAt) < courtesyMs;
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
    claim: StreamSlice,
    owner: StreamSlice,
    heldBefore: readonly string[],
    nowMs: number,
  ): Promise<Pick<PlannedName, 'claimAt' | 'fence'> | null> {
    const state = foldEvents(nameModel, claim.events);
    if (state.owner === null || state.claimedAt === null) return { claimAt: claim.version, fence: null };
    if (state.owner === owner.stream) {
      const keeps = heldBefore.includes(claim.stream) && forfeitedClaim(owner, claim.stream) < claim.version;
      // A claim that the owner does not live on yet is made anew, so that a release or take-over under way fails.
      return { claimAt: keeps ? null : claim.version, fence: null };
    }
    const verdict = judgeClaim(claim, await store.read(state.owner), state.claimedAt, nowMs);
    return verdict && { claimAt: claim.version, fence: verdict.fence };
  }

  async function appendOne(
    stream: string,
    expectedVersion: number,
    event: DomainEvent,
    request: CommandRequest,
    now: string,
  ): Promise<boolean> {
    const events = newEvents([event], { stream, expectedVersion }, request, now);
    return (await store.append({ stream, expectedVersion, events })).outcome === 'appended';
  }

  return {
    plan: async (wishes, owner, nowMs) => {
      const heldBefore = namesHeldBy(owner);
      const wished = Object.values(wishes).flatMap((wish) => wish.candidates.map((candidate) => candidate.stream));
      const streams = [...new Set([...wished, ...heldBefore])];
      const claims = new Map((await store.readMany(streams)).map((slice) => [slice.stream, slice]));
      const names: PlannedName[] = [];
      for (const [key, wish] of Object.entries(wishes)) {
        let planned: PlannedName | null = null;
        for (const candidate of wish.candidates) {
          if (names.some((other) => other.stream === candidate.stream)) {
            planned = { key, ...candidate, claimAt: null, fence: null };
            break;
          }
          const found = await planCandidate(claims.get(candidate.stream)!, owner, heldBefore, nowMs);
          if (found === null) continue;
          planned = { key, ...candidate, ...found };
          break;
        }
        if (planned === null) {
          throw new DomainError('conflict', { field: wish.field, value: wish.candidates[0]?.value });
        }
        names.push(planned);
      }
      const kept = new Set(names.map((planned) => planned.stream));
      return {
        names,
        values: Object.fromEntries(names.map(({ key, value }) => [key, value])),
        superseded: heldBefore
          .map((stream) => claims.get(stream)!)
          .filter((claim) => !kept.has(claim.stream) && foldEvents(nameModel, claim.events).owner === owner.stream)
          .map(({ stream, version }) => ({ stream, version })),
      };
    },

    claim: async (plan, owner, request, now) => {
      for (const { stream, claimAt, fence } of plan.names) {
        if (claimAt === null) continue;
        if (fence && !(await appendOne(fence.stream, fence.expectedVersion, fence.event, request, now))) return false;
        const event: NameClaimed = { type: 'NameClaimed.v1', data: { owner } };
        if (!(await appendOne(stream, claimAt, event, request, now))) return false;
      }
      return true;
    },

    releaseSuperseded: async (plan, owner, request, now) => {
      const event: NameReleased = { type: 'NameReleased.v1', data: { owner } };
      // At the version seen before: if the owner has claimed the name anew meanwhile, this release comes too late.
      for (const { stream, version } of plan.superseded) await appendOne(stream, version, event, request, now);
    },
  };
}
