import { z } from 'zod';
import { changeTypes } from '../../../projections/entity-history/change-types.ts';
import { orgId, productId, sourceId } from '../../kernel/ids.ts';
import { changesOf, textDigest } from './changes.ts';
import { count } from './count.ts';
import { account, location, orgDetail } from './org.ts';
import { cursorPagination } from './pagination.ts';
import { productDetail } from './product.ts';
import { sourceDetail, sourceRecord } from './source.ts';
import { timestamp } from './timestamp.ts';

const ofOrg = orgDetail.shape;

/** What happened to an org and to its products and sources (contract 3.5). */
export const orgHistory = z.strictObject({
  items: z.array(
    z
      .strictObject({
        position: count,
        at: timestamp,
        type: z.enum(Object.values(changeTypes)),
        entity: z.strictObject({
          kind: z.enum(['org', 'product', 'source']),
          id: z.union([orgId, productId, sourceId]),
          slug: z.string(),
        }),
        changes: changesOf({
          slug: z.string(),
          name: z.string(),
          domain: z.string(),
          description: z.string(),
          category: ofOrg.category,
          avatarUrl: z.string(),
          tags: ofOrg.tags,
          aliases: ofOrg.aliases,
          featured: z.boolean(),
          autoGenerateContent: z.boolean(),
          fetchPaused: z.boolean(),
          overviewCadenceDays: ofOrg.overviewCadenceDays,
          discovery: ofOrg.discovery,
          status: ofOrg.status,
          locations: z.array(location),
          notice: ofOrg.notice,
          account,
          url: z.string(),
          kind: productDetail.shape.kind,
          type: sourceRecord.shape.type,
          productId,
          isPrimary: z.boolean(),
          fetchPriority: sourceRecord.shape.fetchPriority,
          /** JSON text. */
          metadata: z.string(),
          packages: sourceDetail.shape.packages,
          isHidden: z.boolean(),
          deletedAt: timestamp,
          overview: textDigest,
          // For admins only.
          playbook: textDigest,
          trackingRequestedAt: timestamp,
        }),
        /** For admins only. */
        actor: z.string().optional(),
      })
      .meta({ id: 'OrgHistoryItem' }),
  ),
  pagination: cursorPagination,
});
