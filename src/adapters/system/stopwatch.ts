import type { Stopwatch } from '../../ports/stopwatch.ts';

export const systemStopwatch: Stopwatch = () => performance.now();
