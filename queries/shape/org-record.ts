import type { OrgDocument } from '../../projections/org/org.ts';

/** What an org says of itself, wherever it is shown with more than its name. */
export const orgRecord = (org: OrgDocument) => ({
  id: org.id,
  slug: org.slug,
  name: org.name,
  domain: org.domain,
  description: org.description,
  category: org.category,
  avatarUrl: org.avatarUrl,
  featured: org.featured,
  status: org.status,
});
