import { z } from 'zod';
import { slug } from '../../kernel/slugs.ts';
import { changeSet } from '../change-set.ts';
import { domain, domainList } from '../name/domain-list.ts';
import { entityNotice } from '../entity-notice.ts';
import { categories, discoveries } from '../enumerations.ts';
import { description, entityName } from '../filled-text.ts';
import { tagList } from '../tag-list.ts';
import { httpsUrl } from '../web-address.ts';
import { locationList } from './locations.ts';

const optionalFields = {
  slug: slug.exactOptional(),
  domain: domain.nullable().exactOptional(),
  description: description.nullable().exactOptional(),
  category: z.enum(categories).nullable().exactOptional(),
  avatarUrl: httpsUrl.nullable().exactOptional(),
  tags: tagList.exactOptional(),
  aliases: domainList.exactOptional(),
  featured: z.boolean().exactOptional(),
  autoGenerateContent: z.boolean().exactOptional(),
  discovery: z.enum(discoveries).exactOptional(),
};

export const orgCreateFields = z.strictObject({ name: entityName, ...optionalFields });

/** A stub is known by its domain and by where it publishes. It is new, so nothing of its own can be there yet. */
export const orgStubFields = z.strictObject({
  name: entityName,
  domain,
  description: optionalFields.description,
  category: optionalFields.category,
  locations: locationList
    .min(1)
    .refine((list) => list.every(({ productId, sourceId }) => (productId ?? sourceId ?? null) === null), {
      error: 'must name no product and no source: a new org has none',
    }),
});

export const orgChangeFields = changeSet({
  name: entityName.exactOptional(),
  ...optionalFields,
  isHidden: z.boolean().exactOptional(),
  fetchPaused: z.boolean().exactOptional(),
  overviewCadenceDays: z.int().min(1).max(90).nullable().exactOptional(),
  notice: entityNotice.nullable().exactOptional(),
  locations: locationList.exactOptional(),
});
export type OrgChangeFields = z.infer<typeof orgChangeFields>;
