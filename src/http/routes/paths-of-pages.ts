import type { Catalogue } from '../../catalogue/catalogue.ts';
import { webPathOf } from '../../catalogue/web-address.ts';
import { partWebPath } from '../../domain/web-paths.ts';

/** Where things are now, below the host root. What was purged since the answer was made is named as it was there. */
export const pathsOfPages =
  (catalogue: Catalogue, orgSlug: string | null) =>
  ({ id, slug }: { readonly id: string; readonly slug: string }): string =>
    webPathOf(catalogue, id) ?? partWebPath(orgSlug, { slug });
