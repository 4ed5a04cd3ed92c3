import { cutText } from '../../kernel/text-rules.ts';

/** No model reads further: 256 pieces of words, which MiniLM takes at most, are some thousand characters. */
const unitsMax = 8_000;

/** As much of a text as is embedded. */
export const embeddedPart = (text: string): string => cutText(text, unitsMax);
