import { z } from 'zod';
import { notFound } from '../../kernel/errors.ts';
import { isId } from '../../kernel/ids.ts';

export const webhookById = z.object({ id: z.string() });

export const webhookIdOfPath = (id: string): string => {
  if (!isId('whk', id)) throw notFound('webhook', id);
  return id;
};
