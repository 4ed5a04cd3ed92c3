import { z } from 'zod';
import { booleanParam, cursorParam, sizeParam } from '../request/query-params.ts';

/** Which of its releases the detail of a product or source shows. */
export const detailQuery = z.object({
  cursor: cursorParam,
  limit: sizeParam({ fallback: 20, max: 100 }),
  include_coverage: booleanParam(),
  include_prereleases: booleanParam(),
});
