import { z } from 'zod';
import { pagePagination } from './pagination.ts';

/** Of one org or product. */
export const tags = z.strictObject({ items: z.array(z.string()) }).meta({ id: 'Tags' });

export const tagPage = z.strictObject({ items: z.array(z.string()), pagination: pagePagination });
export const bareTags = z.array(z.string());
