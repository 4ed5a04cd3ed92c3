import { everythingTag, wholeOf } from '../../../projections/tags-of-write.ts';
import type { ReadView, Services } from '../services.ts';
import { noteReleases, observeView } from './observed-view.ts';

/** What an answer was made of. */
export interface Observed {
  readonly services: Services;
  readonly tags: () => ReadonlySet<string>;
  /** Events, the search index or records that tell nobody of their writes: all these change without read models. */
  readonly usesOthers: () => boolean;
}

/**
 * So many are looked at for each answer that is sent; whatever is made of more depends on all. Of contacts, on none: there is
 * always one with some source, and its answer is kept for no longer than any client may keep it.
 */
const tagsMax = 64;

/** Without those that others stand for. */
function fewTags(tags: ReadonlySet<string>): ReadonlySet<string> {
  const needed = [...tags].filter((tag) => wholeOf(tag) === tag || !tags.has(wholeOf(tag)));
  return new Set(needed.length > tagsMax ? needed.map(wholeOf) : needed);
}

/** Services that notice what they are asked for: an answer is good until one of these is written. */
export function observe(services: Services): Observed {
  const tags = new Set([everythingTag]);
  const contacts = new Set<string>();
  let usesOthers = false;
  const noteOthers = (): void => {
    usesOthers = true;
  };
  const observed = (view: ReadView): ReadView => observeView(view, { tags, contacts, noteOthers });

  let taken: Promise<ReadView> | null = null;
  const { search } = services;
  return {
    services: {
      ...services,
      view: () => (taken ??= services.view().then(observed)),
      keptLatest: async (_deps, _nowMs, make) => ({ answer: await make(), isHit: false }),
      search: {
        ...search,
        index: () => {
          noteOthers();
          noteReleases(tags);
          return search.index();
        },
      },
    },
    tags: () => new Set([...fewTags(tags), ...(contacts.size > tagsMax ? [] : contacts)]),
    usesOthers: () => usesOthers,
  };
}
