import { z } from 'zod';

export const count = z.int().min(0);
