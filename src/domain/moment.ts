import { parsePublishedAt } from '../kernel/dates.ts';
import { cleanText } from '../kernel/text-rules.ts';

/** A day or a date-time with a zone; kept as RFC 3339 in UTC. */
export const moment = cleanText(1, 40)
  .refine((text) => parsePublishedAt(text) !== null, { error: 'must be a day or a date-time with a zone' })
  .overwrite((text) => parsePublishedAt(text) ?? text);
