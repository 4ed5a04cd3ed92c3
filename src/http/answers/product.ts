import { z } from 'zod';
import { categories, kinds, sourceTypes } from '../../domain/enumerations.ts';
import { orgId, productId, sourceId } from '../../kernel/ids.ts';
import { count } from './count.ts';
import { notice } from './notice.ts';
import { cursorPagination, pagePagination } from './pagination.ts';
import { feedItem } from './release-item.ts';
import { timestamp } from './timestamp.ts';

/** A product in lists. */
const productRecord = z.strictObject({
  id: productId,
  name: z.string(),
  slug: z.string(),
  orgId,
  url: z.string().nullable(),
  description: z.string().nullable(),
  category: z.enum(categories).nullable(),
  kind: z.enum(kinds).nullable(),
  avatarUrl: z.string().nullable(),
  createdAt: timestamp,
  sourceCount: count,
});

const sourceEntry = z.strictObject({
  id: sourceId,
  slug: z.string(),
  name: z.string(),
  type: z.enum(sourceTypes),
  url: z.string(),
  /** JSON text. */
  metadata: z.string().nullable(),
  kind: z.enum(kinds).nullable(),
});

/** A product with its sources and a page of its releases (contract 4). */
export const productDetail = productRecord
  .extend({
    embeddedAt: timestamp.nullable(),
    deletedAt: timestamp.nullable(),
    sources: z.array(sourceEntry),
    tags: z.array(z.string()),
    aliases: z.array(z.string()),
    notice: notice.nullable(),
    releases: z.array(feedItem),
    pagination: cursorPagination,
  })
  .meta({ id: 'ProductDetail' });

export const productList = z.strictObject({ items: z.array(productRecord), pagination: pagePagination });

/** A warning comes along when the new product takes the place of a source at an address below the org. */
export const createdProduct = productDetail.extend({ warning: z.string().optional() });
