import type { EntityTier, NamedEntity } from '../../../src/search/entities/entity-keys.ts';
import { nameWords } from '../../../src/search/entities/name-words.ts';

/** How a run of words from each place on begins with what is looked for. */
function runsFrom(
  words: readonly string[],
  wanted: string,
): { readonly isPrefix: boolean; readonly isWhole: boolean }[] {
  return words.map((_, from) => {
    let run = '';
    for (let at = from; at < words.length && run.length < wanted.length; at += 1) run += words[at]!;
    return { isPrefix: run.startsWith(wanted), isWhole: run === wanted };
  });
}

const hasPart = (text: string, wanted: string): boolean =>
  runsFrom(nameWords(text), wanted).some(({ isPrefix }) => isPrefix);

/** As contract 7.2 says it, of one entity; null when it is not what is looked for. */
export function naiveEntityTier(entity: NamedEntity, wanted: string): EntityTier | null {
  const { name, slug, domains = [], url = null, category = null } = entity;
  const words = nameWords(name);
  if (words.join('') === wanted || nameWords(slug).join('') === wanted) return 0;
  const runs = runsFrom(words, wanted);
  if (runs[0]?.isPrefix === true) return 1;
  if (runs.some(({ isWhole }) => isWhole)) return 2;
  const others = [slug, ...domains, ...(url === null ? [] : [url.replace(/^https?:\/\//i, '')])];
  if (runs.some(({ isPrefix }) => isPrefix) || others.some((text) => hasPart(text, wanted))) return 3;
  return category !== null && nameWords(category).join('') === wanted ? 4 : null;
}
