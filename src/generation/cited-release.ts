import type { Citation } from '../domain/overview/events.ts';
import type { ContributingRelease } from './content-provider.ts';
import { withoutUnseenMarks } from './extractive/harmless-inline.ts';

/** The release that a citation names, by a title that is read in the order in which it is written; none of it seen is none. */
export function citedRelease({ id, title, url, webUrl }: ContributingRelease): Citation {
  const seen = withoutUnseenMarks(title).trim();
  return { sourceUrl: url ?? webUrl, ...(seen !== '' && { title: seen }), releaseId: id, releaseWebUrl: webUrl };
}
