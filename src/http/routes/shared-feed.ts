import { z } from 'zod';
import { parseWindow } from '../request/date-window.ts';
import { knownParameters } from '../request/known-parameters.ts';
import { booleanParam, cursorParam, dateParam, sizeParam } from '../request/query-params.ts';
import type { RouteRequest } from '../route.ts';

/** What the feeds of a collection and of a category take (contract 10.3). */
export const sharedFeedQuery = z.object({
  cursor: cursorParam,
  limit: sizeParam({ fallback: 20, max: 100 }),
  include_coverage: booleanParam(),
  include_prereleases: booleanParam(),
  since: dateParam,
  until: dateParam,
});

type FeedRequest = Pick<RouteRequest<unknown, z.output<typeof sharedFeedQuery>, unknown>, 'query' | 'sent' | 'nowMs'>;

export const sharedFeedInput = ({ query, sent, nowMs }: FeedRequest) => ({
  cursor: query.cursor,
  limit: query.limit,
  sent: knownParameters(sharedFeedQuery, sent),
  includeCoverage: query.include_coverage,
  includePrereleases: query.include_prereleases,
  ...parseWindow(query, nowMs),
});
