import { z } from 'zod';
import { normalizeDomain } from './domain-name.ts';
import { cleanText } from '../../kernel/text-rules.ts';
import { alphabeticalSet } from '../alphabetical.ts';

/** Stored and compared in one spelling; an address is accepted for its domain. */
export const domain = cleanText(1, 2048)
  .refine((text) => normalizeDomain(text) !== null, { error: 'must be a domain name' })
  .overwrite((text) => normalizeDomain(text) ?? text);

export const domainList = z.array(domain).max(20).overwrite(alphabeticalSet);
