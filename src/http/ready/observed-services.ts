import { everythingTag, releasesTags, wholeOf } from '../../../projections/tags-of-write.ts';
import type { ReadView, Services } from '../services.ts';
import { observeCatalogue, observeModels } from './observed-reads.ts';

/** What an answer was made of. */
export interface Observed {
  readonly services: Services;
  readonly tags: () => ReadonlySet<string>;
  /** Operational records, events or the search index, which change without read models. */
  readonly usesOthers: () => boolean;
}

/** So many are looked at for each answer that is sent; whatever is made of more depends on all. */
const tagsMax = 64;

/** Without those that others stand for. */
function fewTags(tags: ReadonlySet<string>): ReadonlySet<string> {
  const needed = [...tags].filter((tag) => wholeOf(tag) === tag || !tags.has(wholeOf(tag)));
  return new Set(needed.length > tagsMax ? needed.map(wholeOf) : needed);
}

/** Services that notice what they are asked for: an answer is good until one of these is written. */
export function observe(services: Services): Observed {
  const tags = new Set([everythingTag]);
  let usesOthers = false;

  /** The same question, noticed. */
  const noting =
    <Input extends unknown[], Output>(note: () => void, ask: (...input: Input) => Output) =>
    (...input: Input): Output => {
      note();
      return ask(...input);
    };
  const noteOthers = (): void => {
    usesOthers = true;
  };
  const noteReleases = (): void => {
    for (const tag of releasesTags) tags.add(tag);
  };
  // Whoever goes back in time reads events of anything, and texts leave the streams after the read models.
  const noteStreams = (): void => {
    noteReleases();
    usesOthers = true;
  };

  const observed = (view: ReadView): ReadView => ({
    ...view,
    catalogue: observeCatalogue(view.catalogue, tags),
    models: observeModels(view.models, tags),
    streams: {
      read: noting(noteStreams, view.streams.read),
      readMany: noting(noteStreams, view.streams.readMany),
    },
    fetchStates: noting(noteOthers, view.fetchStates),
    lastFetches: noting(noteOthers, view.lastFetches),
    newestFetches: noting(noteOthers, view.newestFetches),
    lastUses: noting(noteOthers, view.lastUses),
    embeddedAt: noting(noteOthers, view.embeddedAt),
    deliveryCounters: noting(noteOthers, view.deliveryCounters),
  });

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
          usesOthers = true;
          noteReleases();
          return search.index();
        },
      },
    },
    tags: () => fewTags(tags),
    usesOthers: () => usesOthers,
  };
}
