import { type ZodObject, z } from 'zod';
import type { SourceDocument } from '../../../projections/source/source.ts';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import { resolveOrg, resolveSource, resolveSourceOf } from '../../catalogue/resolve.ts';

/** A path that leads to a source, and what it names. */
export interface SourceAddress<Params extends ZodObject> {
  readonly path: string;
  readonly params: Params;
  readonly resolve: (catalogue: Catalogue, params: z.output<Params>, admin: boolean) => SourceDocument;
}

const addressOf = <Params extends ZodObject>(address: SourceAddress<Params>) => address;

/** Its id, or its slug where no other visible source has the same. */
export const sourceByItself = addressOf({
  path: '/sources/:slug',
  params: z.object({ slug: z.string() }),
  resolve: (catalogue, { slug }, admin) => resolveSource(catalogue, slug, admin),
});

export const sourceBelowOrg = addressOf({
  path: '/orgs/:orgSlug/sources/:sourceSlug',
  params: z.object({ orgSlug: z.string(), sourceSlug: z.string() }),
  resolve: (catalogue, { orgSlug, sourceSlug }, admin) =>
    resolveSourceOf(catalogue, resolveOrg(catalogue, orgSlug, admin).id, sourceSlug, admin),
});
