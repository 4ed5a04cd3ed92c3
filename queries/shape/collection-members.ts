import type { OrgDocument } from '../../projections/org/org.ts';
import type { VisibleMember } from '../../src/catalogue/collection-members.ts';
import { orgCard } from './release/feed-item.ts';

const orgOfProduct = (org: OrgDocument) => {
  const { slug, name, avatarUrl, githubHandle } = orgCard(org);
  return { slug, name, domain: org.domain, avatarUrl, githubHandle };
};

const shownOrg = (org: OrgDocument) => ({ ...orgOfProduct(org), description: org.description });

export const shownMember = ({ org, product }: VisibleMember) =>
  product === null
    ? { kind: 'org' as const, ...shownOrg(org) }
    : {
        kind: 'product' as const,
        slug: product.slug,
        name: product.name,
        description: product.description,
        org: orgOfProduct(org),
      };

/** The first of the members that are orgs. */
export const shownOrgs = (members: readonly VisibleMember[], max: number) => {
  const shown: ReturnType<typeof shownOrg>[] = [];
  for (const { org, product } of members) {
    if (shown.length === max) break;
    if (product === null) shown.push(shownOrg(org));
  }
  return shown;
};
