import { foldStream } from '../concurrency/stream-pages.ts';
import { source } from '../domain/source/state.ts';
import { isId } from '../kernel/ids.ts';
import { streamOf } from '../kernel/stream-name.ts';
import type { EventStore } from '../ports/event-store.ts';
import { createKnownEntities } from './known-entities.ts';

/** The id of the source that a person names: by its id, as `<org>/<source>`, or by the slug of one without an org. */
export async function findNamedSource(store: Pick<EventStore, 'read'>, name: string): Promise<string | null> {
  if (isId('src', name)) {
    const { lifecycle } = (await foldStream(store, source, streamOf('source', name))).state;
    return lifecycle === 'live' ? name : null;
  }
  const known = createKnownEntities(store);
  const parts = name.split('/');
  if (parts.length === 1) return known.sourceBySlug(null, name);
  const [org = '', slug = ''] = parts;
  const orgId = parts.length === 2 ? await known.orgBySlug(org) : null;
  return orgId === null ? null : known.sourceBySlug(orgId, slug);
}
