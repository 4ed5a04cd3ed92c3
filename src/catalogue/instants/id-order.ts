import { base62Digits as digits } from '../../kernel/ids.ts';

const prefixChars = 'rel_'.length;

/** So many digits stay exact in a double (62^8 < 2^53). Ids are hashes: no two of one source begin alike so far. */
const orderedChars = 8;

const valueByCode = new Map([...digits].map((digit, value) => [digit.charCodeAt(0), value]));

/** The beginning of the id of a release as a number that sorts as ids do, and takes a sixth of their room. */
export const idOrderOf = (releaseId: string): number => {
  let order = 0;
  for (let at = prefixChars; at < prefixChars + orderedChars; at += 1) {
    order = order * digits.length + (valueByCode.get(releaseId.charCodeAt(at)) ?? 0);
  }
  return order;
};

/** The beginning of the id: it sorts before the id itself, and after all that sort before the id. */
export const idStartOf = (order: number): string => {
  let text = '';
  for (let rest = order; text.length < orderedChars; rest = Math.floor(rest / digits.length)) {
    text = digits.charAt(rest % digits.length) + text;
  }
  return `rel_${text}`;
};
