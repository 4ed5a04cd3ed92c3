import { createHmac } from 'node:crypto';
import type { IpRange } from '../../kernel/address/ip-range.ts';
import { DomainError } from '../../kernel/errors.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import type { RunLater } from '../../ports/run-later.ts';
import type { RequestCounts } from '../../records/request-counts.ts';
import type { Caller } from '../caller.ts';
import { type AddressedRequest, createClientAddress } from '../rate-limits/client-address.ts';
import { pathOf } from '../rate-limits/has-route.ts';
import { createCountExchange } from '../rate-limits/count-exchange.ts';
import { createRemembered } from '../rate-limits/remembered.ts';
import { createSlidingCounts, type SlidingCounts, windowSeconds } from '../rate-limits/sliding-counts.ts';

/** Contract 17. There are no accounts yet; whoever brings them names their callers in `identityOf`. */
const policies = ['anonymous', 'account', 'token'] as const;
export type RateLimitPolicy = (typeof policies)[number];

/** Requests in 60 s. */
export type RateLimits = Readonly<Record<RateLimitPolicy, number>>;

export interface LimitedRequest extends AddressedRequest {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
}

export interface Refusal {
  readonly policy: RateLimitPolicy;
  readonly retryAfterSeconds: number;
}

export interface Verdict {
  readonly headers: { readonly 'RateLimit-Policy': string; readonly RateLimit: string };
  /** Null when the request may go on. */
  readonly refusal: Refusal | null;
}

export interface RateLimiter {
  /** What to wait for before a request is counted, which never fails; null when it can be counted at once. */
  readonly hearFirst: (caller: Caller, request: LimitedRequest) => Promise<void> | null;
  /** Counts a request for whoever sent it; null where nothing is counted. */
  readonly count: (caller: Caller, request: LimitedRequest) => Verdict | null;
  /** How many requests were refused, by policy. */
  readonly refusals: () => Readonly<Record<RateLimitPolicy, number>>;
  readonly problem: (refusal: Refusal) => DomainError;
  readonly close: () => Promise<void>;
}

interface RateLimiterDeps {
  readonly limits: RateLimits;
  readonly trustedProxies: readonly IpRange[];
  /** Health and documents are not counted. */
  readonly isCounted: (path: string) => boolean;
  /** The same for all processes, so that they mean the same clients, and known to nobody else. */
  readonly secretKey: Uint8Array;
  readonly requestCounts: RequestCounts;
  readonly clock: Clock;
  readonly runLater: RunLater;
  readonly log: Log;
}

/** Of 8 places each: 65,536 addresses are known one by one. Credentials are not made by whoever likes to. */
const groupsOf: Readonly<Record<RateLimitPolicy, number>> = { anonymous: 8_192, account: 2_048, token: 512 };

const numberBytes = 6;

/** A number for each client that nobody can foresee, so that nobody can choose with whom he shares a place. */
const createClientNumbers = (secretKey: Uint8Array): ((client: string) => number) =>
  createRemembered((client) =>
    createHmac('sha256', secretKey).update(`rate limit of ${client}`).digest().readUIntBE(0, numberBytes),
  );

export function createRateLimiter(deps: RateLimiterDeps): RateLimiter {
  const { limits, isCounted, clock } = deps;
  const clientAddress = createClientAddress(deps.trustedProxies);
  const clientNumber = createClientNumbers(deps.secretKey);
  const counts = Object.fromEntries(
    policies.map((policy) => [policy, createSlidingCounts(limits[policy], groupsOf[policy])]),
  ) as Record<RateLimitPolicy, SlidingCounts>;
  const policyHeaders = Object.fromEntries(
    policies.map((policy) => [policy, `"${policy}";q=${limits[policy]};w=${windowSeconds}`]),
  ) as Record<RateLimitPolicy, string>;
  const exchange = createCountExchange({
    ...deps,
    onHeard: ({ ageMs, counts: heard }) => {
      for (const policy of policies) {
        for (const [client, count] of heard[policy] ?? []) counts[policy].add(client, { count, ageMs }, clock.nowMs());
      }
    },
  });

  const identityOf = (caller: Caller, request: LimitedRequest): [RateLimitPolicy, string] | null => {
    if (caller.kind === 'root') return null;
    return caller.kind === 'token' ? ['token', caller.tokenId] : ['anonymous', clientAddress(request)];
  };

  const refusals: Record<RateLimitPolicy, number> = { anonymous: 0, account: 0, token: 0 };

  const isOneToCount = (request: LimitedRequest): boolean => isCounted(pathOf(request.url ?? ''));

  return {
    refusals: () => refusals,
    hearFirst: (caller, request) => {
      if (!exchange.isBehind() || caller.kind === 'root' || !isOneToCount(request)) return null;
      return exchange.catchUp();
    },
    count: (caller, request) => {
      if (!isOneToCount(request)) return null;
      const identity = identityOf(caller, request);
      if (identity === null) return null;
      const [policy, client] = identity;
      const number = clientNumber(client);
      const { isRefused, left, seconds } = counts[policy].take(number, clock.nowMs());
      if (isRefused) refusals[policy] += 1;
      else exchange.note(policy, number);
      return {
        headers: { 'RateLimit-Policy': policyHeaders[policy], RateLimit: `"${policy}";r=${left};t=${seconds}` },
        refusal: isRefused ? { policy, retryAfterSeconds: seconds } : null,
      };
    },
    problem: ({ policy, retryAfterSeconds }) =>
      new DomainError('rate_limited', { policy, limit: limits[policy], windowSeconds, retryAfterSeconds }),
    close: exchange.close,
  };
}
