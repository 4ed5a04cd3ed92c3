import {
  type PagedFeed,
  type ReleaseFeedAnswer,
  releaseFeedAnswer,
  releaseFeedText,
} from '../../../queries/feed/release-feed-answer.ts';
import { feedMarkdown } from '../../forms/markdown/feed-markdown.ts';
import type { Answer, RouteRequest } from '../route.ts';
import type { ReadView, Services } from '../services.ts';

/** A page of a feed: as data only where another form is made of it. */
export const feedAnswer = async (
  view: ReadView,
  feed: PagedFeed,
  { isJsonEnough }: Pick<RouteRequest<unknown, unknown, unknown>, 'isJsonEnough'>,
): Promise<Answer> =>
  isJsonEnough
    ? { status: 200, json: await releaseFeedText(view, feed) }
    : { status: 200, body: await releaseFeedAnswer(view, feed) };

/** What the releases of a feed are of. */
type FeedOwner = 'org' | 'collection' | 'category';

/** The Markdown of a page of a feed, which names its owner by the slug that it has now. */
export const feedForm =
  <Params>(owner: FeedOwner, slugOf: (view: ReadView, params: Params, admin: boolean) => string) =>
  async (
    body: unknown,
    { params, admin }: Pick<RouteRequest<Params, unknown, unknown>, 'params' | 'admin'>,
    { view, clock }: Pick<Services, 'view' | 'clock'>,
  ): Promise<string> => {
    const { releases, pagination } = body as ReleaseFeedAnswer;
    const of = { [owner]: slugOf(await view(), params, admin) };
    return feedMarkdown({ of, releases, nextCursor: pagination.nextCursor }, clock);
  };
