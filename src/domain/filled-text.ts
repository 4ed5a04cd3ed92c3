import { cleanText, lineText } from '../kernel/text-rules.ts';

/** Text that a reader can see: blanks alone are no message. */
export const filledText = (min: number, max: number) =>
  cleanText(min, max).refine((text) => text.trim() !== '', { error: 'must not be blank' });

/** The name of an org, product or source. */
export const entityName = lineText(1, 120);

/** What is said about an org or product. */
export const description = cleanText(0, 2000);
