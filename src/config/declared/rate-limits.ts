import { parseRange } from '../../kernel/address/ip-range.ts';
import { commaList, setting, wholeNumber } from '../setting-kinds.ts';

/** More than one process answers in a minute, so it is as good as no limit. */
const requestsMax = 100_000_000;

const requestsPerMinute = (description: string, fallback: string) =>
  setting(
    { description, mustBe: `a whole number from 1 to ${requestsMax}`, fallback },
    wholeNumber(requestsMax)
      .refine((requests) => requests >= 1)
      .prefault(fallback),
  );

/** Of how many requests somebody may send, and who that is. */
export const rateLimitSettings = {
  RATE_LIMIT_ANONYMOUS: requestsPerMinute(
    'Requests in 60 s of one address without a credential; an IPv6 network (/64) is one address.',
    '120',
  ),
  RATE_LIMIT_ACCOUNT: requestsPerMinute('The same of one user account, once there are accounts.', '300'),
  RATE_LIMIT_TOKEN: requestsPerMinute('The same of one machine token. The root key has no limit.', '600'),
  TRUST_PROXY: setting(
    {
      description:
        'The proxies in front of the service, separated by commas: only from these is `X-Forwarded-For` believed.',
      mustBe: 'a list of addresses and ranges such as 10.0.0.0/8,::1, separated by commas',
      fallback: '',
    },
    commaList.refine((ranges) => ranges.every((range) => parseRange(range) !== null)).prefault(''),
  ),
};
