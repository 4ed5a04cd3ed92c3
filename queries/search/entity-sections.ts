import type { OrgDocument } from '../../projections/org/org.ts';
import { type Catalogue, catalogueReads } from '../../src/catalogue/catalogue.ts';
import { type CatalogEntry, isProduct } from '../../src/catalogue/search/entity-search.ts';
import { resolvedCategory, shownProduct } from '../../src/catalogue/visibility.ts';
import { alphabeticalSet } from '../../src/domain/alphabetical.ts';
import { wantedWord } from '../../src/search/entities/entity-keys.ts';
import type { QueryDeps } from '../shape/query-deps.ts';
import { collectionHits } from './collection-hits.ts';

export interface EntitySectionsInput {
  readonly q: string;
  /** Of each section. */
  readonly limit: number;
}

export const entitySectionsReads = catalogueReads;

/** So many of the best are asked for the collections they are in, however few are shown: a longer page begins as a shorter. */
const asked = 100;

const orgHit = ({ id, slug, name, domain, avatarUrl, category, status, aliases }: OrgDocument) => ({
  id,
  slug,
  name,
  domain,
  avatarUrl,
  category,
  status,
  aliasDomains: alphabeticalSet(aliases),
});

const catalogHit = (catalogue: Catalogue, entry: CatalogEntry) => {
  const { id, slug, name, orgId, kind } = entry;
  const org = orgId === null ? undefined : catalogue.org(orgId);
  const orgFields = {
    orgSlug: org?.slug ?? null,
    orgName: org?.name ?? null,
    orgAvatarUrl: org?.avatarUrl ?? null,
  };
  if (isProduct(entry)) {
    return { entryType: 'product' as const, id, slug, name, ...orgFields, category: entry.category, kind };
  }
  const product = shownProduct(catalogue, entry);
  return {
    entryType: 'source' as const,
    id,
    slug,
    name,
    ...orgFields,
    category: resolvedCategory(catalogue, entry),
    kind,
    sourceType: entry.type,
    ...(product !== null && { productSlug: product.slug }),
  };
};

/** What is called so, of all that everybody sees (contract 7.1, 7.2); admins see no others here. */
export const entitySections = ({ catalogue }: Pick<QueryDeps, 'catalogue'>, { q, limit }: EntitySectionsInput) => {
  const wanted = wantedWord(q);
  if (wanted === null) return { orgs: [], catalog: [], collections: [] };
  const orgs = catalogue.orgsNamed(wanted, Math.max(limit, asked));
  const entries = catalogue.catalogNamed(wanted, Math.max(limit, asked));
  return {
    orgs: orgs.slice(0, limit).map(({ doc }) => orgHit(doc)),
    catalog: entries.slice(0, limit).map(({ doc }) => catalogHit(catalogue, doc)),
    collections: collectionHits(catalogue, {
      direct: catalogue.collectionsNamed(wanted, limit),
      matched: [...orgs, ...entries],
      limit,
    }),
  };
};

export type EntitySections = ReturnType<typeof entitySections>;
