import type { PlaybookEvent, PlaybookRemoved } from '../../src/domain/playbook/events.ts';
import { defineProjection, makesOne, one } from '../../src/kernel/projection.ts';

/** By the id of the org that it is about. */
export interface PlaybookDocument {
  readonly id: string;
  readonly content: string;
  readonly updatedAt: string;
}

export const playbooksProjection = defineProjection<PlaybookDocument, PlaybookEvent>({
  name: 'playbooks',
  generation: 1,
  indexes: {},
  on: {
    'PlaybookWritten.v1': makesOne(({ data, stream }) => ({ id: stream.id, ...data })),
    'PlaybookRemoved.v1': one<PlaybookDocument, PlaybookRemoved>(() => null),
  },
});
