import type { OrgDocument } from '../../projections/org/org.ts';
import type { ProductDocument } from '../../projections/product/product.ts';
import type { Catalogue } from '../../src/catalogue/catalogue.ts';

/** An org among those of a category or tag (contract 10.3). */
export const listedOrg = ({ slug, name, domain, avatarUrl }: OrgDocument) => ({ slug, name, domain, avatarUrl });

/** A product that everybody sees: so its org is there. */
export const listedProduct = (catalogue: Catalogue, { id, slug, name, description, orgId }: ProductDocument) => {
  const org = catalogue.org(orgId);
  if (org === undefined) throw new Error(`${id} is visible, and its org is not in the catalogue`);
  return { slug, name, description, orgSlug: org.slug, orgName: org.name };
};
