/** What robots.txt says about one address to us (RFC 9309). */
export interface RobotsRules {
  readonly isAllowed: (url: string) => boolean;
  /** How long it asks to wait between requests; 0 when it does not say. */
  readonly crawlDelayMs: number;
}

interface Rule {
  readonly isAllowing: boolean;
  /** What stands between the stars of its pattern. */
  readonly pieces: readonly string[];
  readonly isAnchored: boolean;
  /** Of two rules that match the longer one counts. */
  readonly length: number;
}

interface Group {
  readonly rules: Rule[];
  crawlDelayMs: number;
}

export const allowAll: RobotsRules = { isAllowed: () => true, crawlDelayMs: 0 };
export const allowNothing: RobotsRules = { isAllowed: () => false, crawlDelayMs: 0 };

/** Longer addresses are not asked for anyway. */
const patternCharsMax = 2_048;
const linePattern = /^\s*([a-z-]{1,20})\s*:([^#]*)/i;

/** An escaped letter is the letter; what must be escaped is written in one way. */
function normalized(path: string): string {
  try {
    return encodeURI(decodeURI(path));
  } catch {
    return path; // an escape that spells no character stands for itself
  }
}

function ruleOf(isAllowing: boolean, value: string): Rule | null {
  if (value === '' || value.length > patternCharsMax) return null;
  const isAnchored = value.endsWith('$');
  const pieces = normalized(isAnchored ? value.slice(0, -1) : value).split('*');
  return { isAllowing, pieces, isAnchored, length: value.length };
}

/** The first place for each piece leaves the most room for those behind it, so no other place need be tried. */
function matches({ pieces, isAnchored }: Rule, path: string): boolean {
  const [first = '', ...others] = pieces;
  if (!path.startsWith(first)) return false;
  if (others.length === 0) return !isAnchored || path === first;
  let at = first.length;
  const last = isAnchored ? others.pop()! : '';
  for (const piece of others) {
    const found = path.indexOf(piece, at);
    if (found === -1) return false;
    at = found + piece.length;
  }
  return !isAnchored || (path.length - last.length >= at && path.endsWith(last));
}

function isAllowedBy(rules: readonly Rule[], path: string): boolean {
  let best: Rule | null = null;
  for (const rule of rules) {
    const isStronger = best === null || rule.length > best.length || (rule.length === best.length && rule.isAllowing);
    if (isStronger && matches(rule, path)) best = rule;
  }
  return best === null || best.isAllowing;
}

/** Our groups together, else those for everybody: `product` is the name without a version, in lower case. */
function groupFor(text: string, product: string): Group {
  const [ours, everybodys]: [Group, Group] = [
    { rules: [], crawlDelayMs: 0 },
    { rules: [], crawlDelayMs: 0 },
  ];
  let named = new Set<Group>();
  let isNaming = false;
  let isOurs = false;
  for (const line of text.replace(/^\ufeff/, '').split(/\r\n|\n|\r/)) {
    const [, key = '', raw = ''] = linePattern.exec(line) ?? [];
    const value = raw.trim();
    const name = key.toLowerCase();
    if (name === 'user-agent') {
      if (!isNaming) named = new Set();
      isNaming = true;
      const agent = value.toLowerCase().replace(/[/\s].*$/, '');
      if (agent === '*') named.add(everybodys);
      if (agent === product) {
        named.add(ours);
        isOurs = true;
      }
    } else if (name === 'allow' || name === 'disallow') {
      isNaming = false;
      const rule = ruleOf(name === 'allow', value);
      if (rule !== null) for (const group of named) group.rules.push(rule);
    } else if (name === 'crawl-delay') {
      isNaming = false;
      const seconds = /^\d{1,9}(?:\.\d{1,9})?$/.test(value) ? Number(value) : 0;
      for (const group of named) group.crawlDelayMs = Math.max(group.crawlDelayMs, seconds * 1_000);
    }
  }
  return isOurs ? ours : everybodys;
}

/** Linear in the length of the text. What cannot be read says nothing. */
export function readRobotsRules(text: string, product: string): RobotsRules {
  const { rules, crawlDelayMs } = groupFor(text, product.toLowerCase());
  return {
    crawlDelayMs,
    isAllowed: (url) => {
      const { pathname, search } = new URL(url);
      return isAllowedBy(rules, normalized(`${pathname}${search}`));
    },
  };
}
