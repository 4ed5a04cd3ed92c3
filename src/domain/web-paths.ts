/** Where the pages of things are, below the host root (contract 16.1). A suffix goes behind. */
export const orgWebPath = (org: { readonly slug: string }): string => `/${org.slug}`;

/** A product or source: below its org, or a source that has none. */
export const partWebPath = (orgSlug: string | null, part: { readonly slug: string }): string =>
  orgSlug === null ? `/source/${part.slug}` : `/${orgSlug}/${part.slug}`;

export const collectionWebPath = (collection: { readonly slug: string }): string => `/collections/${collection.slug}`;

export const categoryWebPath = (category: { readonly slug: string }): string => `/categories/${category.slug}`;
