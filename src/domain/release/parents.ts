import { type FactRequests, fact } from '../../kernel/command.ts';
import { streamOf } from '../../kernel/stream-name.ts';
import { type OrgState, org } from '../org/state.ts';
import { type ProductState, product } from '../product/state.ts';
import { type SourceState, source } from '../source/state.ts';

/** What a release hangs on; a standalone source has no org. */
export interface ReleaseParents {
  readonly source: SourceState;
  readonly org?: OrgState;
  readonly product?: ProductState;
}

/** The source names its org and its product. */
export const parentFacts = (sourceId: string, known: Partial<ReleaseParents>): FactRequests<ReleaseParents> => {
  const { orgId = null, productId = null } = known.source ?? {};
  return {
    source: fact(streamOf('source', sourceId), source),
    ...(orgId !== null && { org: fact(streamOf('org', orgId), org) }),
    ...(productId !== null && { product: fact(streamOf('product', productId), product) }),
  };
};
