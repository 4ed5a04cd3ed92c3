import type { SourceDetail } from '../../../queries/sources/source-detail.ts';
import { sourceFeedName, sourceReleases } from '../../../queries/sources/source-releases.ts';
import { resolveSource } from '../../catalogue/resolve.ts';
import { sourceMarkdown } from '../../forms/markdown/source-markdown.ts';
import { knownParameters } from '../request/known-parameters.ts';
import type { RouteRequest } from '../route.ts';
import type { Services } from '../services.ts';
import { excerptsOf, type ReadPage, restOfPage } from './feed-pages.ts';
import { pathsOfPages } from './paths-of-pages.ts';

/** Which of its releases are shown. */
interface WantedReleases {
  readonly include_coverage: boolean;
  readonly include_prereleases: boolean;
}

/** The Markdown of a route that answers with the detail of a source, whose query has these parameters. */
export const sourceForm =
  (parameters: { readonly shape: object }) =>
  async (
    body: unknown,
    {
      query,
      sent,
      nowMs,
      admin,
    }: Pick<RouteRequest<unknown, WantedReleases, unknown>, 'query' | 'sent' | 'nowMs' | 'admin'>,
    services: Pick<Services, 'view'>,
  ): Promise<string> => {
    const view = await services.view();
    const source = body as SourceDetail;
    const feed = {
      source: resolveSource(view.catalogue, source.id, admin),
      feed: sourceFeedName,
      sinceMs: null,
      includeCoverage: query.include_coverage,
      includePrereleases: query.include_prereleases,
      sent: knownParameters(parameters, sent),
    };
    const readPage: ReadPage = (paging) => sourceReleases(view, { ...feed, ...paging }, { nowMs, admin });
    const releases = await excerptsOf(restOfPage(source, readPage));
    const webPath = pathsOfPages(view.catalogue, source.org?.slug ?? null)(source);
    return sourceMarkdown({ source, releases, webUrl: `${view.webBaseUrl}${webPath}` });
  };
