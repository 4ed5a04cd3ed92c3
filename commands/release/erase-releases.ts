import { z } from 'zod';
import type { ReleaseEvent } from '../../src/domain/release/events.ts';
import { erasedEvent } from '../../src/domain/release/erased-event.ts';
import { type ReleaseState, release } from '../../src/domain/release/state.ts';
import { defineBatchCommand } from '../../src/kernel/command.ts';
import { releaseId } from '../../src/kernel/ids.ts';
import { streamOf } from '../../src/kernel/stream-name.ts';

const input = z.object({ releaseIds: z.array(releaseId).min(1).max(500) });

export type EraseReleasesInput = z.output<typeof input>;

/** `linked`: it covers another one or others cover it, so it is left alone: links are ended before, one by one. */
export type EraseResult = { readonly id: string; readonly result: 'erased' | 'unchanged' | 'linked' };

/** Many at once, as they go with their source. */
export const eraseReleases = defineBatchCommand<
  EraseReleasesInput,
  null,
  ReleaseState,
  ReleaseEvent,
  object,
  object,
  EraseResult
>({
  name: 'EraseReleases',
  input,
  facts: () => ({}),
  items: ({ releaseIds }) => [...new Set(releaseIds)].map((id) => ({ stream: streamOf('release', id), item: null })),
  model: release,
  decide: (_, state, { id }) => {
    if (state.status !== 'indexed') return { events: [], result: { id, result: 'unchanged' } };
    const { link, claims } = state.coverage;
    if (link !== null || claims.length > 0) return { events: [], result: { id, result: 'linked' } };
    return { events: [erasedEvent(id, state)], result: { id, result: 'erased' } };
  },
});
