import { bodyStream } from '../body/split-body.ts';
import type { ReleaseErased } from './events.ts';
import type { IndexedRelease } from './state.ts';

/** Names all that must go and holds no text itself. */
export const erasedEvent = (id: string, state: IndexedRelease): ReleaseErased => {
  const { sourceId, orgId, identity, publishedDates, textHashes } = state;
  return {
    type: 'ReleaseErased.v1',
    data: {
      sourceId,
      orgId,
      identityKind: identity.kind,
      publishedDates,
      bodyStreams: textHashes.map((sha256) => bodyStream(id, sha256)),
    },
  };
};
