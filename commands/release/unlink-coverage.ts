import { z } from 'zod';
import type { ReleaseEvent } from '../../src/domain/release/events.ts';
import { placeOf, type ReleaseState, release } from '../../src/domain/release/state.ts';
import { defineCommand } from '../../src/kernel/command.ts';
import { notFound } from '../../src/kernel/errors.ts';
import { releaseId } from '../../src/kernel/ids.ts';
import { streamOf } from '../../src/kernel/stream-name.ts';

const input = z.object({ releaseId });

export type UnlinkCoverageInput = z.output<typeof input>;

/** Ends the link of a release that covers another one. */
export const unlinkCoverage = defineCommand<UnlinkCoverageInput, ReleaseState, ReleaseEvent>({
  name: 'UnlinkCoverage',
  input,
  stream: ({ releaseId }) => streamOf('release', releaseId),
  model: release,
  decide: (_, state, { id, now }) => {
    if (state.status !== 'indexed') throw notFound('release', id);
    const { link } = state.coverage;
    return link === null
      ? []
      : [{ type: 'CoverageUnlinked.v1', data: { ...placeOf(state), ...link, unlinkedAt: now } }];
  },
});
