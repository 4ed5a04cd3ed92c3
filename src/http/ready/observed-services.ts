import { bodiesProjection } from '../../../projections/bodies/bodies.ts';
import { everythingTag, ofReleases, releasesTag, sourceTag } from '../../../projections/tags-of-write.ts';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import type { Document, Projection } from '../../kernel/projection.ts';
import type { ReadModel, ReadModelSet } from '../../ports/read-models.ts';
import type { ReadView, Services } from '../services.ts';

/** What an answer was made of. */
export interface Observed {
  readonly services: Services;
  readonly tags: () => ReadonlySet<string>;
  /** Operational records, events or the search index, which change without read models. */
  readonly usesOthers: () => boolean;
}

/** These tell nothing of releases; whatever else the catalogue is asked may. */
const structural: ReadonlySet<string> = new Set<keyof Catalogue>([
  'org',
  'product',
  'source',
  'orgs',
  'orgsMatching',
  'productsOfOrg',
  'sourcesOfOrg',
  'sourcesOfProduct',
  'orgBySlug',
  'orgByDomain',
  'productsByDomain',
  'productsBySlug',
  'sourcesBySlug',
  'orgsByTag',
  'productsByTag',
  'orgsByEarlierSlug',
  'sourcesByEarlierSlug',
  'collectionsByEarlierSlug',
  'collection',
  'collectionBySlug',
  'collections',
  'featuredCollections',
  'collectionsWith',
  'membersOf',
  'refresh',
  'seen',
]);

/** So many are looked at for each answer that is sent; whatever is made of more depends on all. */
const tagsMax = 64;

type Ask = (...input: unknown[]) => unknown;

function observeCatalogue(catalogue: Catalogue, tags: Set<string>): Catalogue {
  const observed: Record<string, unknown> = { ...catalogue };
  for (const [name, ask] of Object.entries(catalogue) as [string, Ask][]) {
    if (structural.has(name)) continue;
    observed[name] = (...input: unknown[]) => {
      tags.add(releasesTag);
      return ask(...input);
    };
  }
  // That an org or product is not a large one tells nothing of releases.
  const largeGroup = (ask: Catalogue['largeOrg' | 'largeProduct']) => (id: string) => {
    const group = ask(id);
    if (group !== undefined) tags.add(releasesTag);
    return group;
  };
  const ownReads: Pick<Catalogue, 'instantsOf' | 'instantsOfOrg' | 'hasReleases' | 'largeOrg' | 'largeProduct'> = {
    instantsOf: (sourceId) => {
      tags.add(sourceTag(sourceId));
      return catalogue.instantsOf(sourceId);
    },
    instantsOfOrg: (orgId) => {
      for (const { id } of catalogue.sourcesOfOrg(orgId)) tags.add(sourceTag(id));
      return catalogue.instantsOfOrg(orgId);
    },
    hasReleases: (orgId, nowMs) => {
      for (const { id } of catalogue.sourcesOfOrg(orgId)) tags.add(sourceTag(id));
      return catalogue.hasReleases(orgId, nowMs);
    },
    largeOrg: largeGroup(catalogue.largeOrg),
    largeProduct: largeGroup(catalogue.largeProduct),
  };
  return { ...observed, ...ownReads } as Catalogue;
}

const sourceIn = (named: object): string => {
  const { sourceId } = named as { readonly sourceId?: unknown };
  return typeof sourceId === 'string' ? sourceTag(sourceId) : releasesTag;
};

/** A part of a source's releases; what is asked otherwise may be changed by any. */
function observeReleases<Doc extends Document>(model: ReadModel<Doc>, tags: Set<string>): ReadModel<Doc> {
  return {
    ...model,
    get: async (ids) => {
      const docs = await model.get(ids);
      for (const doc of docs) tags.add(sourceIn(doc));
      if (docs.length < ids.length) tags.add(releasesTag);
      return docs;
    },
    query: (query) => {
      tags.add(sourceIn(query.equals));
      return model.query(query);
    },
    scan: (...input) => {
      tags.add(releasesTag);
      return model.scan(...input);
    },
  };
}

const observeModels = (models: ReadModelSet, tags: Set<string>): ReadModelSet => ({
  of: <Doc extends Document>(projection: Projection<Doc>) => {
    const model = models.of(projection);
    if (projection.name === bodiesProjection.name) tags.add(releasesTag);
    return ofReleases.has(projection.name) ? observeReleases(model, tags) : model;
  },
});

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
  // Whoever goes back in time reads events of anything, and texts leave the streams after the read models.
  const noteStreams = (): void => {
    tags.add(releasesTag);
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
          tags.add(releasesTag);
          return search.index();
        },
      },
    },
    // Each write about a source is one about releases, too.
    tags: () => (tags.has(releasesTag) || tags.size > tagsMax ? new Set([everythingTag, releasesTag]) : tags),
    usesOthers: () => usesOthers,
  };
}
