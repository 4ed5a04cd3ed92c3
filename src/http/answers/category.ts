import { z } from 'zod';
import { categories } from '../../domain/enumerations.ts';
import { count } from './count.ts';
import { cursorPagination } from './pagination.ts';
import { feedItem } from './release-item.ts';

/** Orgs and products as a category or tag lists them. */
export const listedEntities = {
  orgs: z.array(
    z.strictObject({
      slug: z.string(),
      name: z.string(),
      domain: z.string().nullable(),
      avatarUrl: z.string().nullable(),
    }),
  ),
  products: z.array(
    z.strictObject({
      slug: z.string(),
      name: z.string(),
      description: z.string().nullable(),
      orgSlug: z.string(),
      orgName: z.string(),
    }),
  ),
};

const category = z.strictObject({
  slug: z.enum(categories),
  name: z.string(),
  description: z.string().nullable(),
});

export const categoryList = z.strictObject({
  items: z.array(category.extend({ orgCount: count, productCount: count })).length(categories.length),
});

export const categoryDetail = category.extend(listedEntities).meta({ id: 'Category' });

export const categoryReleases = z.strictObject({ releases: z.array(feedItem), pagination: cursorPagination });
