import { z } from 'zod';
import { categories, kinds } from '../../domain/enumerations.ts';
import type { ProductEvent, ProductFields } from '../../domain/product/events.ts';
import { orgId } from '../../kernel/ids.ts';
import { deleted, hidden, restored, unhidden } from './lifecycle.ts';
import { type PublicationsOf, publish } from './publication.ts';
import { fieldNames, timestamp } from './values.ts';

const productNames = fieldNames<ProductFields>({
  name: true,
  url: true,
  description: true,
  category: true,
  kind: true,
  avatarUrl: true,
  tags: true,
  aliases: true,
  notice: true,
});

export const productPublications: PublicationsOf<ProductEvent> = {
  'ProductCreated.v1': publish(
    { orgId, category: z.enum(categories).nullable(), kind: z.enum(kinds).nullable(), createdAt: timestamp },
    (product) => ({
      orgId: product.orgId,
      category: product.category,
      kind: product.kind,
      createdAt: product.createdAt,
    }),
  ),
  'ProductChanged.v1': publish({ changedFields: productNames.schema }, ({ changed }) => ({
    changedFields: productNames.of(changed),
  })),
  'ProductHidden.v1': hidden,
  'ProductUnhidden.v1': unhidden,
  'ProductDeleted.v1': deleted,
  'ProductRestored.v1': restored,
  'ProductPurged.v1': publish({ orgId, purgedAt: timestamp }, ({ orgId, purgedAt }) => ({ orgId, purgedAt })),
};
