import { z } from 'zod';
import { tagId } from '../../kernel/ids.ts';

export const tag = z.strictObject({ id: tagId, slug: z.string(), name: z.string() }).meta({ id: 'Tag' });
