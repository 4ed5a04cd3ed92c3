import type { ReadModelSet } from '../ports/read-models.ts';
import { type Catalogue, type CatalogueOptions, createCatalogue } from './catalogue.ts';

export interface KeptCatalogue {
  /** The same for the same read models; rejects when it could not be loaded, and is loaded anew for who asks next. */
  readonly of: (models: ReadModelSet) => Promise<Catalogue>;
}

/** A catalogue belongs to the generations it was loaded from; a switch makes another one. */
export function createKeptCatalogue(options?: CatalogueOptions): KeptCatalogue {
  let loaded: { readonly models: ReadModelSet; readonly catalogue: Promise<Catalogue> } | null = null;
  return {
    of: (models) => {
      if (loaded?.models === models) return loaded.catalogue;
      const catalogue = createCatalogue(models, options);
      loaded = { models, catalogue };
      catalogue.catch(() => {
        if (loaded?.catalogue === catalogue) loaded = null;
      });
      return catalogue;
    },
  };
}
