import type { SourceDetail } from '../../../queries/sources/source-detail.ts';
import { sourceMarkdown } from '../../forms/markdown/source-markdown.ts';
import type { Services } from '../services.ts';
import { pathsOfPages } from './paths-of-pages.ts';

/** The Markdown of a route that answers with the detail of a source. */
export const sourceForm = async (body: unknown, _: unknown, { view }: Pick<Services, 'view'>): Promise<string> => {
  const { catalogue, webBaseUrl } = await view();
  const source = body as SourceDetail;
  return sourceMarkdown(source, `${webBaseUrl}${pathsOfPages(catalogue, source.org?.slug ?? null)(source)}`);
};
