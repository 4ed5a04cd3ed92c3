import { z } from 'zod';
import type { ReleaseEvent } from '../../src/domain/release/events.ts';
import { decisionReason } from '../../src/domain/release/fields.ts';
import { placeOf, type ReleaseState, release } from '../../src/domain/release/state.ts';
import { defineCommand } from '../../src/kernel/command.ts';
import { notFound } from '../../src/kernel/errors.ts';
import { releaseId } from '../../src/kernel/ids.ts';
import { streamOf } from '../../src/kernel/stream-name.ts';

const input = z.object({ releaseId, reason: decisionReason });

export type UnsuppressReleaseInput = z.output<typeof input>;

/** Brings a release back. It is announced by nothing but its date, if that is still to come (contract 13.4). */
export const unsuppressRelease = defineCommand<UnsuppressReleaseInput, ReleaseState, ReleaseEvent>({
  name: 'UnsuppressRelease',
  input,
  stream: ({ releaseId }) => streamOf('release', releaseId),
  model: release,
  decide: ({ reason }, state, { id, now }) => {
    if (state.status !== 'indexed') throw notFound('release', id);
    if (state.suppression === null) return [];
    const data = { ...placeOf(state), reason: reason ?? null, unsuppressedAt: now };
    return [{ type: 'ReleaseUnsuppressed.v1', data }];
  },
});
