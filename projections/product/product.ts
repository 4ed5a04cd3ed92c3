import type { ProductEvent, ProductFields } from '../../src/domain/product/events.ts';
import { nameKeyOf } from '../../src/domain/name-key.ts';
import { defineProjection, makesOne, one } from '../../src/kernel/projection.ts';

export interface ProductDocument extends ProductFields {
  readonly id: string;
  readonly nameKey: string;
  readonly orgId: string;
  readonly slug: string;
  readonly createdAt: string;
  readonly hidden: boolean;
  readonly deletedAt: string | null;
}

/** Every product that ever was: a deleted one keeps its document until it is purged. */
export const productProjection = defineProjection<ProductDocument, ProductEvent>({
  name: 'product',
  generation: 2,
  indexes: { byOrg: ['orgId'] },
  on: {
    'ProductCreated.v1': makesOne(({ data, stream }) => ({
      id: stream.id,
      nameKey: nameKeyOf(data.name),
      ...data,
      hidden: false,
      deletedAt: null,
    })),
    'ProductChanged.v1': one((product, { data: { changed } }) => {
      if (product === undefined) return undefined;
      const next = { ...product, ...changed };
      return { ...next, nameKey: nameKeyOf(next.name) };
    }),
    'ProductHidden.v1': one((product) => product && { ...product, hidden: true }),
    'ProductUnhidden.v1': one((product) => product && { ...product, hidden: false }),
    'ProductDeleted.v1': one((product, { data }) => product && { ...product, deletedAt: data.deletedAt }),
    'ProductRestored.v1': one((product) => product && { ...product, deletedAt: null }),
    'ProductPurged.v1': one((product) => product && null),
  },
});
