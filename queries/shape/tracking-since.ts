import { oldestPublishedMs } from '../../src/catalogue/numbers.ts';
import { timestampOrNull } from './timestamps.ts';

/** Since when something is followed: its oldest date, else when it was created (contract 2.12). */
export const trackingSince = (
  instants: Parameters<typeof oldestPublishedMs>[0],
  { createdAt }: { readonly createdAt: string },
  nowMs: number,
): string => timestampOrNull(oldestPublishedMs(instants, nowMs)) ?? createdAt;
