import { feedChangedMs } from '../../../../queries/feed/feed-changed-at.ts';
import type { ReleaseFeedAnswer } from '../../../../queries/feed/release-feed-answer.ts';
import { atomEntriesMax, writeAtomFeed } from '../../../forms/atom/atom-feed.ts';
import { lastModifiedOf } from '../../caching.ts';
import type { Caller } from '../../caller.ts';
import type { DocumentType } from '../../negotiate.ts';
import type { Answer, RouteRequest } from '../../route.ts';
import type { Services } from '../../services.ts';
import { feedPages } from '../feed-pages.ts';
import type { Answered, Asked, AskedFeed, WebThing } from './web-thing.ts';

export type WebRequest = RouteRequest<unknown, unknown, unknown>;

const anybody: Caller = { kind: 'anonymous', invalidCredential: false };

/** Whoever asks: what is behind a suffix is the same for everybody. */
const asAnybody = (request: WebRequest, { route, params }: Asked, sent: WebRequest['sent']): WebRequest => ({
  ...request,
  params,
  sent,
  query: route.query.parse(sent),
  caller: anybody,
  admin: false,
  isJsonEnough: false,
});

export const ask = async (request: WebRequest, asked: Asked, services: Services): Promise<Answered> =>
  asked.answered ?? asked.route.handle(asAnybody(request, asked, request.sent), services);

type Write = (thing: WebThing, request: WebRequest, services: Services) => Promise<Omit<Answer, 'status'>>;

const writeJson: Write = async ({ answer }, request, services) => {
  const { body, headers } = await ask(request, answer, services);
  return { body, ...(headers && { headers }) };
};

const writeMarkdown: Write = async ({ answer }, request, services) => {
  const { body, headers } = await ask(request, answer, services);
  const text = await answer.route.markdown?.(body, asAnybody(request, answer, request.sent), services);
  if (text === undefined) throw new Error(`${answer.route.path} has no Markdown`);
  return { document: { type: 'text/markdown', text }, ...(headers && { headers }) };
};

const newestOf = (feed: AskedFeed, request: WebRequest, services: Services) =>
  feedPages(atomEntriesMax, async ({ limit, cursor }) => {
    const sent = { limit: String(limit), ...(cursor !== null && { cursor }) };
    return (await feed.route.handle(asAnybody(request, feed, sent), services)).body as ReleaseFeedAnswer;
  });

const writeAtom: Write = async ({ feed, webPath }, request, services) => {
  if (feed === null) throw new Error(`${webPath} has no feed`);
  const { webBaseUrl, clock } = services;
  const pages = newestOf(feed, request, services);
  const input = { entity: feed.entity, pages, pageUrl: `${webBaseUrl}${webPath}`, webBaseUrl };
  const { text, updatedMs } = await writeAtomFeed(input, clock);
  const undatedMs = await feedChangedMs(await services.view(), feed.owners);
  const lastModified = lastModifiedOf(updatedMs, undatedMs, request.nowMs);
  return { document: { type: 'application/atom+xml', text }, lastModified };
};

export interface Suffix {
  readonly name: 'json' | 'md' | 'atom';
  /** JSON when absent. */
  readonly documentType?: DocumentType;
  readonly write: Write;
}

export const suffixes: readonly Suffix[] = [
  { name: 'json', write: writeJson },
  { name: 'md', documentType: 'text/markdown', write: writeMarkdown },
  { name: 'atom', documentType: 'application/atom+xml', write: writeAtom },
];
