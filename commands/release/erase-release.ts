import { z } from 'zod';
import { bodyStream } from '../../src/domain/body/split-body.ts';
import type { ReleaseEvent } from '../../src/domain/release/events.ts';
import { type ReleaseState, release } from '../../src/domain/release/state.ts';
import { defineCommand } from '../../src/kernel/command.ts';
import { DomainError } from '../../src/kernel/errors.ts';
import { releaseId } from '../../src/kernel/ids.ts';
import { streamOf } from '../../src/kernel/stream-name.ts';

const input = z.object({ releaseId });

export type EraseReleaseInput = z.output<typeof input>;

/** Deleted parents do not matter here: what must go goes. */
export const eraseRelease = defineCommand<EraseReleaseInput, ReleaseState, ReleaseEvent>({
  name: 'EraseRelease',
  input,
  stream: ({ releaseId }) => streamOf('release', releaseId),
  model: release,
  decide: (_, state, { id }) => {
    if (state.status === 'absent') throw new DomainError('not_found', 'release');
    if (state.status === 'erased') return [];
    const { sourceId, orgId, identity, publishedDates, textHashes } = state;
    return [
      {
        type: 'ReleaseErased.v1',
        data: {
          sourceId,
          orgId,
          identityKind: identity.kind,
          publishedDates,
          bodyStreams: textHashes.map((sha256) => bodyStream(id, sha256)),
        },
      },
    ];
  },
});
