import type { SourceDocument } from '../../../projections/source/source.ts';
import type { Catalogue } from '../../../src/catalogue/catalogue.ts';
import { orgOf } from '../release/feed-item.ts';

/** Which source an answer about one is of. */
export const sourceHead = (catalogue: Catalogue, source: SourceDocument) => {
  const org = orgOf(catalogue, source);
  return { slug: source.slug, name: source.name, orgSlug: org?.slug ?? null, orgName: org?.name ?? null };
};
