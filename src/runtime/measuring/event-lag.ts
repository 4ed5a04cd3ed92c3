import type { Clock } from '../../ports/clock.ts';
import type { EventStore } from '../../ports/event-store.ts';

/**
 * For how many seconds the oldest event of these types has waited for somebody who has come as far as this position; 0
 * when there is none. Positions have gaps, and how far apart they are says nothing that stores agree on.
 */
export async function eventLagSeconds(
  { store, clock }: { readonly store: Pick<EventStore, 'head' | 'readAll'>; readonly clock: Clock },
  { position, types }: { readonly position: number; readonly types: readonly string[] },
): Promise<number> {
  if (position >= (await store.head())) return 0;
  const { events } = await store.readAll({ afterPosition: position, limit: 1, types });
  const [waiting] = events;
  if (waiting === undefined) return 0;
  return Math.max(0, clock.nowMs() - Date.parse(waiting.metadata.recordedAt)) / 1_000;
}
