import { z } from 'zod';
import { productId } from '../../kernel/ids.ts';
import { slug } from '../../kernel/slugs.ts';
import { changeSet } from '../change-set.ts';
import { discoveries, fetchPriorities, kinds, sourceTypes } from '../enumerations.ts';
import { entityName } from '../filled-text.ts';
import { httpUrl } from '../web-address.ts';
import { metadataChanges } from './metadata.ts';
import { packageList } from './packages.ts';

const optionalFields = {
  slug: slug.exactOptional(),
  type: z.enum(sourceTypes).exactOptional(),
  kind: z.enum(kinds).nullable().exactOptional(),
  isPrimary: z.boolean().exactOptional(),
  isHidden: z.boolean().exactOptional(),
  discovery: z.enum(discoveries).exactOptional(),
  fetchPriority: z.enum(fetchPriorities).exactOptional(),
  metadata: metadataChanges.exactOptional(),
  packages: packageList.exactOptional(),
};

/** Without org and product, which a request may name in several ways. */
export const sourceCreateFields = z.strictObject({ name: entityName, url: httpUrl, ...optionalFields });

export const sourceChangeFields = changeSet({
  name: entityName.exactOptional(),
  url: httpUrl.exactOptional(),
  ...optionalFields,
  productId: productId.nullable().exactOptional(),
});
