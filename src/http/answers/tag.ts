import { z } from 'zod';
import { tagId } from '../../kernel/ids.ts';
import { listedEntities } from './category.ts';

export const tag = z.strictObject({ id: tagId, slug: z.string(), name: z.string() }).meta({ id: 'Tag' });

export const tagDetail = z
  .strictObject({ slug: z.string(), name: z.string(), ...listedEntities })
  .meta({ id: 'TagDetail' });
