import { dayMs } from '../kernel/dates.ts';

/** Contract 15.4. */
export const defaultCadenceDays = 7;

/** A text as it stands. */
export interface WrittenText {
  readonly isGenerated: boolean;
  readonly writtenMs: number;
}

export interface WrittenOverview extends WrittenText {
  readonly lastContributingMs: number | null;
}

/** What is to be done with a text now. `later`: it is looked at again then. */
export type CadenceStep = { readonly kind: 'write' | 'nothing' } | { readonly kind: 'later'; readonly dueMs: number };

const nothing: CadenceStep = { kind: 'nothing' };

const whenDue = ({ writtenMs }: WrittenText, cadenceDays: number, nowMs: number): CadenceStep => {
  const dueMs = writtenMs + cadenceDays * dayMs;
  return nowMs >= dueMs ? { kind: 'write' } : { kind: 'later', dueMs };
};

/**
 * Asked only when releases have come. What somebody wrote stays until there are newer ones than it tells of, and then as
 * long as a generated one would.
 */
export function overviewStep(
  written: WrittenOverview | null,
  { newestMs, cadenceDays, nowMs }: { newestMs: number; cadenceDays: number | null; nowMs: number },
): CadenceStep {
  if (written === null) return { kind: 'write' };
  if (!written.isGenerated && newestMs <= (written.lastContributingMs ?? written.writtenMs)) return nothing;
  return whenDue(written, cadenceDays ?? defaultCadenceDays, nowMs);
}

/** Likewise: what somebody wrote stays until a release was indexed after it. */
export function summaryStep(
  written: WrittenText | null,
  { newestFetchedMs, cadenceDays, nowMs }: { newestFetchedMs: number; cadenceDays: number | null; nowMs: number },
): CadenceStep {
  if (written === null) return { kind: 'write' };
  if (!written.isGenerated && newestFetchedMs <= written.writtenMs) return nothing;
  return whenDue(written, cadenceDays ?? defaultCadenceDays, nowMs);
}

const retryMs = { first: 5 * 60_000, most: dayMs };

/** How long it is until a provider that has failed so often in a row is asked for the same again. */
export const retryDelayMs = (failures: number, retryAfterMs: number | null): number =>
  Math.min(retryMs.most, Math.max(retryMs.first * 2 ** Math.min(failures - 1, 20), retryAfterMs ?? 0));
