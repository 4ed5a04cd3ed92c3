import { createSharedTimings } from '../concurrency/shared-memory/shared-timings.ts';
import type { TimedSample } from '../ports/metrics.ts';
import type { Stopwatch } from '../ports/stopwatch.ts';

/** Measures how long answers take, by the pattern of their route: there are as many kinds as routes, whatever is asked. */
export interface RequestMeter {
  readonly begin: Stopwatch;
  /** The number of a route; looked up when routes are placed, never by a request. */
  readonly numberOf: (method: string, path: string) => number;
  readonly end: (route: number, status: number, begunMs: number) => void;
  readonly samples: () => TimedSample[];
}

export interface MeteredRoute {
  readonly method: string;
  /** Its pattern, from the host root. */
  readonly path: string;
}

/** Of a request that no route takes: one for all of them, because paths are made up by whoever asks. */
export const noRoute = 0;
const unknown: MeteredRoute = { method: 'any', path: 'unknown' };

const statusClasses = ['1xx', '2xx', '3xx', '4xx', '5xx'] as const;

export function createRequestMeter(
  routes: readonly MeteredRoute[],
  stopwatch: Stopwatch,
  onAnswer: () => void,
): RequestMeter {
  const metered = [unknown, ...routes];
  const timings = createSharedTimings(metered.length * statusClasses.length);
  const keyOf = ({ method, path }: MeteredRoute) => `${method} ${path}`;
  const numbers = new Map(metered.map((route, number) => [keyOf(route), number]));

  const samplesOf = ({ method, path }: MeteredRoute, number: number): TimedSample[] =>
    statusClasses.flatMap((status, index) => {
      const timing = timings.read(number * statusClasses.length + index);
      const isUsed = timing.counts.some((count) => count > 0);
      return isUsed ? [{ labels: { method, route: path, status }, ...timing }] : [];
    });

  return {
    begin: stopwatch,
    numberOf: (method, path) => {
      const number = numbers.get(keyOf({ method, path }));
      if (number === undefined) throw new Error(`${method} ${path} is not metered`);
      return number;
    },
    end: (route, status, begunMs) => {
      const statusClass = Math.floor(status / 100) - 1;
      timings.add(route * statusClasses.length + statusClass, stopwatch() - begunMs);
      onAnswer();
    },
    samples: () => metered.flatMap(samplesOf),
  };
}
