import { type IpRange, parseRange } from '../kernel/address/ip-range.ts';
import type { Config } from './settings.ts';

export interface RateLimitSettings {
  /** Requests in 60 s, by who sends them. */
  readonly limits: { readonly anonymous: number; readonly account: number; readonly token: number };
  readonly trustedProxies: readonly IpRange[];
}

export const rateLimitSettingsOf = (config: Config): RateLimitSettings => ({
  limits: {
    anonymous: config.RATE_LIMIT_ANONYMOUS,
    account: config.RATE_LIMIT_ACCOUNT,
    token: config.RATE_LIMIT_TOKEN,
  },
  trustedProxies: config.TRUST_PROXY.flatMap((range) => parseRange(range) ?? []),
});
