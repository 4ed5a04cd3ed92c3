import { z } from 'zod';
import { slug } from '../../kernel/slugs.ts';
import { changeSet } from '../change-set.ts';
import { domainList } from '../name/domain-list.ts';
import { entityNotice } from '../entity-notice.ts';
import { categories, kinds } from '../enumerations.ts';
import { description, entityName } from '../filled-text.ts';
import { tagList } from '../tag-list.ts';
import { httpsUrl, httpUrl } from '../web-address.ts';

const optionalFields = {
  url: httpUrl.nullable().exactOptional(),
  description: description.nullable().exactOptional(),
  category: z.enum(categories).nullable().exactOptional(),
  kind: z.enum(kinds).nullable().exactOptional(),
  avatarUrl: httpsUrl.nullable().exactOptional(),
  tags: tagList.exactOptional(),
  aliases: domainList.exactOptional(),
};

/** Without the org, which a request may name in several ways. */
export const productCreateFields = z.strictObject({
  name: entityName,
  slug: slug.exactOptional(),
  ...optionalFields,
});

/** A product keeps its slug for good, so a change has none. */
export const productChangeFields = changeSet({
  name: entityName.exactOptional(),
  ...optionalFields,
  isHidden: z.boolean().exactOptional(),
  notice: entityNotice.nullable().exactOptional(),
});
