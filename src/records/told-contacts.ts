import type { OperationalChange, OperationalStore } from '../ports/operational-store.ts';
import { embeddedTimesDeclaration } from './embedded-times.ts';
import { sourceContactsDeclaration } from './source-contacts.ts';

/** What is known of a source beside its events: how contact with it went, and when its texts got vectors. */
export const contactTag = (sourceId: string): string => `contact with source ${sourceId}`;

const ofContacts = new Set([sourceContactsDeclaration.name, embeddedTimesDeclaration.name]);

const contactTags = (changes: readonly OperationalChange[]): string[] =>
  changes
    .filter(({ collection }) => ofContacts.has(collection))
    .map((change) => contactTag(change.kind === 'put' ? change.doc.id : change.id));

/** The same store, which tells whose contact was written. */
export const tellContacts = (ops: OperationalStore, touch: (tags: readonly string[]) => void): OperationalStore => ({
  ...ops,
  transact: async (changes, lease) => {
    try {
      return await ops.transact(changes, lease);
    } finally {
      // Also when it failed: it may be written all the same, and only nobody was told.
      const tags = contactTags(changes);
      if (tags.length > 0) touch(tags);
    }
  },
});
