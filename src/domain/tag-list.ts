import { z } from 'zod';
import { alphabeticalSet } from './alphabetical.ts';
import { filledText } from './filled-text.ts';

export const tagList = z.array(filledText(1, 60)).max(50).overwrite(alphabeticalSet);
