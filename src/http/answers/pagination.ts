import { z } from 'zod';
import { count } from './count.ts';

/** Of a list that is asked for by page number (contract 2.5). */
export const pagePagination = z
  .strictObject({
    page: z.int().min(1),
    pageSize: z.int().min(1),
    returned: count,
    totalItems: count,
    totalPages: z.int().min(1),
    hasMore: z.boolean(),
  })
  .meta({ id: 'PagePagination' });

const following = { nextCursor: z.string().max(512).nullable(), limit: z.int().min(1) };

/** Of a list that is followed by cursor (contract 2.4). */
export const cursorPagination = z.strictObject(following).meta({ id: 'CursorPagination' });

/** Of a list that is asked for by page number and can be followed by cursor from there (contract 5.2). */
export const numberedPagination = pagePagination.extend(following).meta({ id: 'NumberedPagination' });
