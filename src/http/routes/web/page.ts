import { type ZodObject, type ZodType, z } from 'zod';
import { feedChangesProjection } from '../../../../projections/feed-changes/feed-changes.ts';
import { releaseDetailProjection } from '../../../../projections/release-detail/release-detail.ts';
import { catalogueReads } from '../../../catalogue/catalogue.ts';
import { atomEntriesMax } from '../../../forms/atom/atom-feed.ts';
import { atomContentCharsMax } from '../../../forms/atom/content-html.ts';
import { DomainError } from '../../../kernel/errors.ts';
import { isReservedSlug } from '../../../kernel/slugs.ts';
import { type Answer, defineRoute, type Route } from '../../route.ts';
import type { ReadView } from '../../services.ts';
import { ask, type Suffix, suffixes, type WebRequest } from './suffixes.ts';
import type { Answered, Asked, WebThing } from './web-thing.ts';

/** A page of the web, as far as its suffixes go. */
export interface WebPage<Params extends ZodObject> {
  /** Below the host root, without a suffix. */
  readonly path: string;
  readonly params: Params;
  readonly summary: string;
  readonly extension: boolean;
  /** The routes that `.json` and `.md` may ask: their parameters are taken here, too. */
  readonly answers: readonly Route[];
  /** Those that `.atom` may ask; it has none without. */
  readonly feeds: readonly Route[];
  readonly find: (view: ReadView, params: z.output<Params>, now: PageOfNow) => Promise<WebThing> | WebThing;
}

/** A page is where the thing is now, of whatever moment it tells. */
interface PageOfNow {
  /** Asks as anybody, and about no other moment. */
  readonly ask: (asked: Asked) => Promise<Answered>;
  /** It is this that the request wants, too. */
  readonly isAsked: boolean;
}

const pathOf = (template: string, params: Readonly<Record<string, unknown>>): string =>
  template.replace(/:(\w+)/g, (_, name: string) => String(params[name]));

const moved = (path: string, { sent }: WebRequest): Answer => {
  const query = new URLSearchParams(sent).toString();
  return { status: 308, headers: { Location: query === '' ? path : `${path}?${query}` } };
};

/** What stands beside the orgs is no page of one: `/v1/anything.json` is a path that is not there. */
function requirePage(params: Readonly<Record<string, unknown>>, path: string): void {
  if (typeof params['org'] !== 'string' || !isReservedSlug('org', params['org'])) return;
  throw new DomainError('not_found', 'route', `There is no \`GET ${path}\`.`);
}

const querySchemaOf = (routes: readonly Route[]): ZodObject =>
  z.object(Object.assign({}, ...routes.map(({ query }) => query.shape)) as z.ZodRawShape);

const answerSchemaOf = (routes: readonly Route[]): ZodType => {
  const schemas = routes.map(({ responses }) => responses[200]).filter((schema) => schema != null);
  return schemas.length === 1 && schemas[0] !== undefined ? schemas[0] : z.union(schemas);
};

const atomDescription = `The ${atomEntriesMax} newest releases, without prereleases. A text of more than ${atomContentCharsMax.toLocaleString('en')} characters ends there, with a link to the page of its release.`;

const suffixRoute = <Params extends ZodObject>(page: WebPage<Params>, suffix: Suffix): Route => {
  const { name, documentType, write } = suffix;
  const asked = name === 'atom' ? page.feeds : page.answers;
  const ownReads = name === 'atom' ? [releaseDetailProjection, feedChangesProjection] : [releaseDetailProjection];
  return defineRoute({
    method: 'GET',
    path: `${page.path}.${name}`,
    tag: 'Web',
    summary: page.summary,
    ...(name === 'atom' && { description: atomDescription }),
    extension: page.extension,
    access: 'public',
    params: page.params,
    query: name === 'atom' ? z.object({}) : querySchemaOf(asked),
    cache: 'slow',
    ownHeaders: ['X-Robots-Tag', 'Link'],
    ...(documentType && { documentType }),
    reads: [...new Set([...catalogueReads, ...ownReads, ...asked.flatMap(({ reads }) => reads)])],
    responses: { 200: documentType === undefined ? answerSchemaOf(asked) : z.string(), 308: null },
    handle: async (request, services) => {
      const path = pathOf(page.path, request.params);
      requirePage(request.params, `${path}.${name}`);
      const now = {
        ask: (asked: Asked) => ask({ ...request, sent: {} }, asked, services),
        isAsked: request.sent['asOf'] === undefined,
      };
      const thing = await page.find(await services.view(), request.params, now);
      if (thing.webPath !== path) return moved(`${thing.webPath}.${name}`, request);
      const { webBaseUrl } = services;
      const headers = { 'X-Robots-Tag': 'noindex', Link: `<${webBaseUrl}${thing.webPath}>; rel="canonical"` };
      const written = await write(thing, request, services);
      return { status: 200, ...written, headers: { ...written.headers, ...headers } };
    },
  });
};

/** A route for each suffix of a page (contract 16.1). */
export const suffixRoutes = <Params extends ZodObject>(page: WebPage<Params>): Route[] =>
  suffixes.filter(({ name }) => name !== 'atom' || page.feeds.length > 0).map((suffix) => suffixRoute(page, suffix));
