import type { SourceDetail } from '../../../queries/sources/source-detail.ts';
import { sourceMarkdown } from '../../forms/markdown/source-markdown.ts';
import type { Services } from '../services.ts';

/** The Markdown of a route that answers with the detail of a source. */
export const sourceForm = async (
  body: unknown,
  _: unknown,
  { webBaseUrl }: Pick<Services, 'webBaseUrl'>,
): Promise<string> => sourceMarkdown(body as SourceDetail, webBaseUrl);
