import { parse } from 'css-what';
import { z } from 'zod';
import { FetchFailed } from '../fetch-failed.ts';

/** How the entries of one site are found, as `metadata.scrape` says it. All are CSS selectors, the others within an entry. */
export interface ScrapeRules {
  readonly entry: string;
  readonly title?: string;
  readonly date?: string;
  readonly content?: string;
  readonly link?: string;
}

/** Others look at many elements to say something about one, which a long page turns into minutes. */
const selectorParts = new Set(['tag', 'universal', 'attribute', 'descendant', 'child']);
const selectorCharsMax = 200;

function isSelector(text: string): boolean {
  try {
    return parse(text).every((parts) => parts.every(({ type }) => selectorParts.has(type)));
  } catch {
    return false; // the parser says so by throwing
  }
}

const selector = z.string().min(1).max(selectorCharsMax).refine(isSelector);

const scrapeRules = z.strictObject({
  entry: selector,
  title: selector.exactOptional(),
  date: selector.exactOptional(),
  content: selector.exactOptional(),
  link: selector.exactOptional(),
});

/** Null when the site has none: then its headings count. Throws FetchFailed. */
export function scrapeRulesOf(metadata: Readonly<Record<string, unknown>>): ScrapeRules | null {
  const said = metadata['scrape'];
  if (said === undefined || said === null) return null;
  const rules = scrapeRules.safeParse(said);
  if (rules.success) return rules.data;
  const wrong = [...new Set(rules.error.issues.map(({ path }) => ['metadata.scrape', ...path].join('.')))].join(', ');
  throw new FetchFailed('unreadable', null, {
    sentence: `${wrong}: must be CSS selectors (entry; title, date, content, link) of names, classes, ids, attributes, blanks and >.`,
  });
}
