import { z } from 'zod';
import { DomainError } from './errors.ts';

const charsMax = 64;
const lastSuffix = 20;

const slugPattern = /^[a-z0-9][a-z0-9-]{0,63}$/;

export const slug = z.string().regex(slugPattern, 'must be 1-64 of a-z, 0-9 and hyphen, not starting with a hyphen');

// Words that are, or may become, a path beside the orgs.
const reservedForOrgs = new Set(
  (
    'about account admin api api-keys assets auth blog categories category collection collections compare docs ' +
    'edit favicon feed feeds health help index latest login logout lookups manifest mcp me metrics new notice ' +
    'oauth openapi org orgs pricing privacy product products related release releases robots schemas search ' +
    'settings signin signup site-notice sitemap source sources static stats status summaries support tag tags ' +
    'terms tokens v1 webhooks well-known whats-changed www'
  ).split(' '),
);

// Words that are, or may become, a path below an org.
const reservedBelowOrgs = new Set(
  (
    'accounts activity atom changelog collections edit feed heatmap history json manifest md new notice overview ' +
    'playbook products releases resolve settings sources sparklines tags'
  ).split(' '),
);

const none: ReadonlySet<string> = new Set();

const reservedSlugs = {
  org: reservedForOrgs,
  product: reservedBelowOrgs,
  source: reservedBelowOrgs,
  collection: none,
  tag: none,
};

export type SluggedEntity = keyof typeof reservedSlugs;

export const isReservedSlug = (entity: SluggedEntity, text: string): boolean => reservedSlugs[entity].has(text);

const beyondAscii = /[^\0-\x7f]/;

/** Letters without their marks. */
const bare = (text: string): string => (beyondAscii.test(text) ? text.normalize('NFKD').replace(/\p{M}+/gu, '') : text);

/** Lower-case words of a-z and 0-9 joined by single hyphens; empty when the text has none. */
export const hyphenated = (text: string): string =>
  bare(text)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');

const cut = (text: string, max: number): string => text.slice(0, max).replace(/-$/, '');

export const slugFromName = (name: string): string => {
  const text = cut(hyphenated(name), charsMax);
  if (text !== '') return text;
  throw new DomainError('validation_failed', {
    issues: [{ path: 'name', message: 'has no letter or digit to make a slug of' }],
  });
};

/** The slugs to try in turn for a new entity, `name`, `name-2` … `name-20`. */
export const slugCandidates = (name: string): string[] => {
  const base = slugFromName(name);
  const candidates = [base];
  for (let n = 2; n <= lastSuffix; n += 1) candidates.push(`${cut(base, charsMax - `-${n}`.length)}-${n}`);
  return candidates;
};
