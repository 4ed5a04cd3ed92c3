import { z } from 'zod';
import { datedEvents } from '../../src/domain/release/announce.ts';
import { effectiveDate } from '../../src/domain/release/effective.ts';
import type { ReleaseEvent } from '../../src/domain/release/events.ts';
import { webBaseUrl } from '../../src/domain/release/fields.ts';
import { parentFacts, type ReleaseParents } from '../../src/domain/release/parents.ts';
import { type ReleaseState, release } from '../../src/domain/release/state.ts';
import { isDue } from '../../src/domain/release/visible.ts';
import { defineCommand } from '../../src/kernel/command.ts';
import { releaseId } from '../../src/kernel/ids.ts';
import { streamOf } from '../../src/kernel/stream-name.ts';

const input = z.object({ releaseId, webBaseUrl });

export type DateReleaseInput = z.output<typeof input>;

/** Sent for whatever seems due; a release that was dated, moved or erased meanwhile is left as it is. */
export const dateRelease = defineCommand<DateReleaseInput, ReleaseState, ReleaseEvent, ReleaseParents>({
  name: 'DateRelease',
  input,
  stream: ({ releaseId }) => streamOf('release', releaseId),
  model: release,
  facts: (_, state, known) => (state.status === 'indexed' && state.pending ? parentFacts(state.sourceId, known) : {}),
  decide: ({ webBaseUrl }, state, { id, facts, now, commandId }) => {
    if (state.status !== 'indexed' || !state.pending) return [];
    if (!isDue(effectiveDate(state.given, state.derived), now)) return [];
    return datedEvents(state, { id, parents: facts, webBaseUrl, commandId, now });
  },
});
