import type { BodyEvent } from '../../src/domain/body/events.ts';
import type { ReleaseErased } from '../../src/domain/release/events.ts';
import { defineProjection, deleteWhere, put } from '../../src/kernel/projection.ts';
import { parseStream } from '../../src/kernel/stream-name.ts';

/** A part of a long text. */
export interface BodyPart {
  readonly id: string;
  /** Id of the body stream: `<owner>-<sha256>`. */
  readonly body: string;
  readonly text: string;
}

export const bodyPartId = (body: string, part: number): string => `${body}#${part}`;

export const bodiesProjection = defineProjection<BodyPart, BodyEvent | ReleaseErased>({
  name: 'bodies',
  generation: 2,
  indexes: { byBody: ['body'] },
  patchIndexes: ['byBody'],
  readsNoDocument: true,
  on: {
    'BodyPartStored.v1': {
      load: () => [],
      fold: (_, { data, stream }) => [put({ id: bodyPartId(stream.id, data.part), body: stream.id, text: data.text })],
    },
    // Also of a text that no event of its owner names: its writer died, or lost against the erasure.
    'BodyErased.v1': {
      load: () => [],
      fold: (_, { stream }) => [deleteWhere('byBody', { body: stream.id })],
    },
    'ReleaseErased.v1': {
      load: () => [],
      fold: (_, { data }) => data.bodyStreams.map((name) => deleteWhere('byBody', { body: parseStream(name).id })),
    },
  },
});
