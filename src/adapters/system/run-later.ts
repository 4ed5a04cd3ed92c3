import type { RunLater } from '../../ports/run-later.ts';

export const systemRunLater: RunLater = (ms, run) => void setTimeout(run, ms).unref();
