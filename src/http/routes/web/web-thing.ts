import type { FeedOwners } from '../../../../queries/feed/feed-changed-at.ts';
import type { FeedEntity } from '../../../forms/atom/atom-feed.ts';
import type { Answer, Route } from '../../route.ts';

/** Headers too: they say what the body is of, as the moment of `asOf`. */
export type Answered = Pick<Answer, 'body' | 'headers'>;

/** A route of the API, and the path parameters to ask it with: an id, so that a rename in between does no harm. */
export interface Asked {
  readonly route: Route;
  readonly params: Readonly<Record<string, string>>;
  /** What it answers, where it was asked already. */
  readonly answered?: Answered;
}

export interface AskedFeed extends Asked {
  readonly entity: FeedEntity;
  readonly owners: FeedOwners;
}

/** What a web path names, and what its suffixes answer. */
export interface WebThing {
  /** Where its page is now: any other path leads there. */
  readonly webPath: string;
  /** Whose answer `.json` is, and of which `.md` is the Markdown. */
  readonly answer: Asked;
  /** Whose releases `.atom` lists; null where there is no feed. */
  readonly feed: AskedFeed | null;
}
