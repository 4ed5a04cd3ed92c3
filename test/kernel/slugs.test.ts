import { describe, expect, it } from 'vitest';
import { isDomainError } from '../../src/kernel/errors.ts';
import { hyphenated, isReservedSlug, slug, slugCandidates, slugFromName } from '../../src/kernel/slugs.ts';

describe('slug', () => {
  it.each(['a', '0', 'a-b', 'a--b', 'a-', '9lives', 'a'.repeat(64)])('takes %s', (text) => {
    expect(slug.safeParse(text).success).toBe(true);
  });

  it.each(['', '-a', 'A', 'a_b', 'a.b', 'a b', 'é', 'a\n', 'a'.repeat(65)])('refuses %j', (text) => {
    expect(slug.safeParse(text).success).toBe(false);
  });
});

describe('slugFromName', () => {
  it.each([
    ['Acme', 'acme'],
    ['Acme Cloud, Inc.', 'acme-cloud-inc'],
    ['  Crème Brûlée!! ', 'creme-brulee'],
    ['Ångström', 'angstrom'],
    ['İstanbul', 'istanbul'],
    ['e\u0301te\u0301', 'ete'],
    ['Ｆｕｌｌ Ｗｉｄｔｈ', 'full-width'],
    ['C++ & C#', 'c-c'],
    ['--a__b--', 'a-b'],
    ['Release 2.0', 'release-2-0'],
    ['東京 Tower', 'tower'],
    ['🚀 Launch', 'launch'],
  ])('%s becomes %s', (name, text) => {
    expect(slugFromName(name)).toBe(text);
  });

  it('is cut at 64 and does not end in a hyphen', () => {
    expect(slugFromName('x'.repeat(100))).toBe('x'.repeat(64));
    expect(slugFromName(`${'x'.repeat(63)} yz`)).toBe('x'.repeat(63));
    expect(slugFromName(`${'x'.repeat(62)} yz`)).toBe(`${'x'.repeat(62)}-y`);
  });

  it.each(['', '   ', '!!!', '東京', '\u0301'])('refuses %j, which leaves nothing', (name) => {
    expect(hyphenated(name)).toBe('');
    let error: unknown;
    try {
      slugFromName(name);
    } catch (thrown) {
      error = thrown;
    }
    expect(isDomainError(error, 'validation_failed')).toBe(true);
    expect(error).toMatchObject({ details: { issues: [{ path: 'name' }] } });
  });
});

describe('slugCandidates', () => {
  it('tries the name, then -2 to -20', () => {
    const candidates = slugCandidates('Acme Inc');
    expect(candidates).toHaveLength(20);
    expect(candidates.slice(0, 3)).toEqual(['acme-inc', 'acme-inc-2', 'acme-inc-3']);
    expect(candidates.at(-1)).toBe('acme-inc-20');
  });

  it.each(['x'.repeat(80), `${'x'.repeat(61)} yy`, `${'x'.repeat(60)} yyy`, `${'ab '.repeat(40)}`])(
    'keeps every candidate a slug of at most 64 characters (%s)',
    (name) => {
      const candidates = slugCandidates(name);
      expect(new Set(candidates).size).toBe(20);
      for (const candidate of candidates) {
        expect(slug.safeParse(candidate).success, candidate).toBe(true);
        expect(candidate).not.toContain('--');
      }
    },
  );

  it('cuts the name, never the number', () => {
    expect(slugCandidates('x'.repeat(64)).slice(1, 2)).toEqual([`${'x'.repeat(62)}-2`]);
    expect(slugCandidates('x'.repeat(64)).at(-1)).toBe(`${'x'.repeat(61)}-20`);
    expect(slugCandidates(`${'x'.repeat(61)}-yy`).slice(1, 2)).toEqual([`${'x'.repeat(61)}-2`]);
  });
});

describe('isReservedSlug', () => {
  const forOrgs =
    'about, account, admin, api, api-keys, assets, auth, blog, categories, category, collection, collections, compare, docs, edit, favicon, feed, feeds, health, help, index, latest, login, logout, lookups, manifest, mcp, me, metrics, new, notice, oauth, openapi, org, orgs, pricing, privacy, product, products, related, release, releases, robots, schemas, search, settings, signin, signup, site-notice, sitemap, source, sources, static, stats, status, summaries, support, tag, tags, terms, tokens, v1, webhooks, well-known, whats-changed, www';
  const belowOrgs =
    'accounts, activity, atom, changelog, collections, edit, feed, heatmap, history, json, manifest, md, new, notice, overview, playbook, products, releases, resolve, settings, sources, sparklines, tags';

  it.each(forOrgs.split(', '))('%s is reserved for orgs', (word) => {
    expect(isReservedSlug('org', word)).toBe(true);
  });

  it.each(belowOrgs.split(', '))('%s is reserved for products and sources', (word) => {
    expect(isReservedSlug('product', word)).toBe(true);
    expect(isReservedSlug('source', word)).toBe(true);
  });

  it('keeps the two lists apart', () => {
    expect(isReservedSlug('org', 'heatmap')).toBe(false);
    expect(isReservedSlug('source', 'admin')).toBe(false);
    expect(isReservedSlug('org', 'acme')).toBe(false);
    expect(isReservedSlug('org', '')).toBe(false);
  });
});
