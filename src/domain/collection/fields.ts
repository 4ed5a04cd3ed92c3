import { z } from 'zod';
import { orgId, productId } from '../../kernel/ids.ts';
import { slug } from '../../kernel/slugs.ts';
import { lineText } from '../../kernel/text-rules.ts';
import { changeSet } from '../change-set.ts';
import { description } from '../filled-text.ts';
import { inStoredOrder } from './members.ts';

const name = lineText(1, 200);

const optionalFields = {
  slug: slug.exactOptional(),
  description: description.nullable().exactOptional(),
  isFeatured: z.boolean().exactOptional(),
};

export const collectionCreateFields = z.strictObject({ name, ...optionalFields });
export const collectionChangeFields = changeSet({ name: name.exactOptional(), ...optionalFields });

export const membersMax = 500;
export const memberPosition = z.int().min(0);
export const memberId = z.union([orgId, productId]);
export const collectionMember = z.strictObject({ id: memberId, position: memberPosition.nullable() });

export const collectionMembers = z
  .array(collectionMember)
  .max(membersMax)
  .refine((members) => new Set(members.map(({ id }) => id)).size === members.length, {
    error: 'must not name a member twice',
  })
  .overwrite(inStoredOrder);
