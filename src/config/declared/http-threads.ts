import { setting, wholeNumber } from '../setting-kinds.ts';

/** Each is a process with a catalogue of its own in memory. */
const httpThreadsMax = 64;

/** By how many cores requests are answered. */
export const httpThreadsSettings = {
  HTTP_THREADS: setting(
    {
      description:
        'How many processes answer the requests of the port, for as many cores. Each has memory and `/metrics` of its own, the second at the port behind `METRICS_PORT`, and so on.',
      mustBe: `a whole number from 1 to ${httpThreadsMax}`,
      fallback: '1',
    },
    wholeNumber(httpThreadsMax)
      .refine((threads) => threads >= 1)
      .prefault('1'),
  ),
};
