import type { HttpAnswer } from '../http-service.ts';
import type { Operation, Parameter } from '../example-registry.ts';

/** What a request can name. A part is a product or a source, whichever has the name. */
export type Thing =
  | 'org'
  | 'product'
  | 'source'
  | 'part'
  | 'release'
  | 'collection'
  | 'tag'
  | 'category'
  | 'token'
  | 'webhook';

/** How a thing can be called; `words` is the id of a release with the words of its page behind it. */
export type NameForm = 'slug' | 'id' | 'domain' | 'words';

export interface Naming {
  readonly thing: Thing;
  readonly forms: readonly NameForm[];
  /** What is answered when nothing that the caller may see has the name. */
  readonly unless: 'not found' | 'nothing listed' | 'unknown package' | 'ignored';
  /** What goes along with it instead of an example that belongs to the thing. */
  readonly beside?: Readonly<Record<string, string>>;
}

const slugOrId: readonly NameForm[] = ['slug', 'id'];
const anyOfOrg: readonly NameForm[] = ['slug', 'id', 'domain'];

const must = (thing: Thing, ...forms: readonly NameForm[]): Naming => ({ thing, forms, unless: 'not found' });
const may = (thing: Thing, ...forms: readonly NameForm[]): Naming => ({ thing, forms, unless: 'nothing listed' });

/** By the part of the path that stands before the parameter (contract 2.1). */
const inPath: Readonly<Record<string, Naming>> = {
  orgs: must('org', ...anyOfOrg),
  products: must('product', ...slugOrId),
  sources: must('source', ...slugOrId),
  source: must('source', ...slugOrId),
  releases: must('release', 'id', 'words'),
  release: must('release', 'id', 'words'),
  collections: must('collection', ...slugOrId),
  categories: must('category', 'slug'),
  tags: must('tag', 'slug'),
  resolve: must('part', ...slugOrId),
  tokens: must('token', 'id'),
  webhooks: must('webhook', 'id'),
  // On the pages of the web orgs stand at the root, and what is theirs below them.
  '': must('org', ...anyOfOrg),
  '{org}': must('part', ...slugOrId),
};

/** A product is not known by its slug alone. */
const bareProduct = must('product', 'id');

/** Contract 4, 5.1, 5.5, 6.1, 7, 8, 9. */
const inQuery: Readonly<Record<string, Naming>> = {
  '/v1/orgs/{slug}/releases?product': must('product', ...slugOrId),
  '/v1/products?orgId': may('org', ...anyOfOrg),
  '/v1/sources?orgSlug': may('org', ...anyOfOrg),
  '/v1/sources?orgId': may('org', 'id'),
  '/v1/sources?productSlug': may('product', ...slugOrId),
  '/v1/sources?slug': may('source', 'slug'),
  '/v1/summaries?sourceSlug': must('source', ...slugOrId),
  '/v1/summaries?sourceId': must('source', ...slugOrId),
  '/v1/releases/latest?source': must('source', ...slugOrId),
  '/v1/releases/latest?org': must('org', ...anyOfOrg),
  '/v1/lookups/by-domain?domain': must('org', 'domain'),
  '/v1/lookups/source-by-slug?slug': must('source', 'slug'),
  '/v1/lookups/product-by-slug?slug': must('product', 'slug'),
  '/v1/search?org': must('org', ...anyOfOrg),
  '/v1/search?product': must('product', ...slugOrId),
  '/v1/search?collection': must('collection', ...slugOrId),
  '/v1/search/releases?org': must('org', ...anyOfOrg),
  '/v1/search/releases?product': must('product', ...slugOrId),
  '/v1/search/releases?collection': must('collection', ...slugOrId),
  '/v1/related/releases?release': must('release', 'id', 'words'),
  '/v1/related/sources?source': must('source', ...slugOrId),
  '/v1/related/sources?excludeOrgSlug': {
    thing: 'org',
    forms: anyOfOrg,
    unless: 'ignored',
    beside: { source: 'weather' },
  },
  '/v1/whats-changed?package': { thing: 'source', forms: slugOrId, unless: 'unknown package' },
  '/v1/webhooks?org': must('org', ...anyOfOrg),
};

/** Texts that name nothing of the registry, with what a text that fits nowhere is answered with. */
const texts: Readonly<Record<string, string>> = {
  cursor: 'invalid_cursor',
  cutoff: 'invalid_parameter',
  path: 'not_found', // of a file
  // What no text holds, and no version is, is no mistake.
  query: 'ok',
  platform: 'ok',
  from: 'ok',
  to: 'ok',
};

const isDate = ({ format, description = '' }: Parameter['schema']): boolean =>
  format === 'date' || /^A (date|day)\b/.test(String(description));

const isListOfValues = ({ description = '' }: Parameter['schema']): boolean => /^Any of\b/.test(String(description));

/** Contract 1.5: above their maximum, or past the end, they are as large as can be. */
const sizes = ['limit', 'count', 'pageSize', 'tokens', 'days', 'page', 'offset'];

export type Meaning =
  | ({ readonly kind: 'name' } & Naming)
  /** One of some values, or of one form. */
  | { readonly kind: 'value'; readonly isDate: boolean }
  | { readonly kind: 'number'; readonly isSize: boolean }
  | { readonly kind: 'text'; readonly charsMax: number | null; readonly unfitting: string };

const pathMeaning = ({ path }: Operation, name: string): Meaning | null => {
  const segments = path.split('/');
  const index = segments.findIndex((segment) => segment.startsWith(`{${name}}`));
  const before = segments[index - 1] ?? '';
  if (before === 'products' && segments[2] === 'products') return { kind: 'name', ...bareProduct };
  const naming = inPath[before];
  return naming === undefined ? null : { kind: 'name', ...naming };
};

/** Null: the lists above do not tell. */
export function meaningOf(operation: Operation, { name, in: place, schema }: Parameter): Meaning | null {
  if (place === 'path') return pathMeaning(operation, name);
  const naming = inQuery[`${operation.path}?${name}`];
  if (naming !== undefined) return { kind: 'name', ...naming };
  const { type, enum: allowed, maxLength } = schema as { type?: string; enum?: unknown; maxLength?: number };
  if (type === 'integer') return { kind: 'number', isSize: sizes.includes(name) };
  if (type === 'boolean' || allowed !== undefined || isDate(schema) || isListOfValues(schema)) {
    return { kind: 'value', isDate: isDate(schema) };
  }
  if (maxLength !== undefined) return { kind: 'text', charsMax: maxLength, unfitting: 'invalid_parameter' };
  const unfitting = texts[name];
  return unfitting === undefined ? null : { kind: 'text', charsMax: null, unfitting };
}

/** Whether this is what is answered where nothing has the name. */
export const saysNothingHasIt = ({ unless }: Naming, { status, body }: HttpAnswer): boolean => {
  if (unless === 'not found') return status === 404 && body?.error?.code === 'not_found';
  if (status !== 200) return false;
  if (unless === 'unknown package') return body.status === 'unknown' && body.entries.length === 0;
  return unless === 'ignored' || (Array.isArray(body) ? body : body.items).length === 0;
};
