import { z } from 'zod';
import { absoluteAddress } from '../html/web-address.ts';
import { readFeedDate } from './feed-date.ts';
import type { FeedEntry, FeedHead, FeedText } from './feed-entry.ts';
import { feedMedia } from './feed-media.ts';

/** Nothing of a feed lies deeper, and parsed nesting costs memory. */
const depthMax = 64;
const containersMax = 500_000;

/** Whether it can be parsed without fear: looked at once, without making anything of it. */
export function isModestJson(text: string): boolean {
  let [depth, containers] = [0, 0];
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === 34) {
      for (index += 1; index < text.length && text.charCodeAt(index) !== 34; index += 1) {
        if (text.charCodeAt(index) === 92) index += 1;
      }
    } else if (code === 123 || code === 91) {
      depth += 1;
      containers += 1;
      if (depth > depthMax || containers > containersMax) return false;
    } else if (code === 125 || code === 93) depth -= 1;
  }
  return true;
}

const text = z.string().nullish().catch(null);
const attachment = z.object({ url: text, mime_type: text, title: text }).nullable().catch(null);

const item = z.object({
  id: z.union([z.string(), z.number()]).nullish().catch(null),
  url: text,
  external_url: text,
  title: text,
  content_html: text,
  content_text: text,
  summary: text,
  image: text,
  banner_image: text,
  date_published: text,
  date_modified: text,
  attachments: z.array(attachment).nullish().catch(null),
});

const feed = z.object({ version: text, title: text, home_page_url: text, items: z.array(z.unknown()) });

/** An item of JSON Feed 1.0 or 1.1; null when it is something else. */
function jsonEntry(value: unknown, { address: feedAddress, pageAddress }: FeedHead): FeedEntry | null {
  const parsed = item.safeParse(value);
  if (!parsed.success) return null;
  const { id, url, external_url, title, content_html, content_text, summary, ...rest } = parsed.data;
  const base = pageAddress ?? feedAddress;
  const guid = id == null ? null : String(id);
  const addresses = [
    absoluteAddress(url ?? '', base),
    absoluteAddress(guid ?? '', null),
    absoluteAddress(external_url ?? '', base),
  ];
  const address = addresses.find((found) => found !== null) ?? null;
  const textBase = address ?? base;
  const textOf = (written: string | null | undefined, form: FeedText['form']): FeedText[] =>
    written == null ? [] : [{ value: written, form, base: textBase }];
  const pictures = [rest.image, rest.banner_image].map((picture) => ({ address: picture ?? undefined, type: 'image' }));
  const attached = (rest.attachments ?? []).map((file) => ({
    address: file?.url ?? undefined,
    type: file?.mime_type ?? undefined,
    alt: file?.title ?? undefined,
  }));
  return {
    title: textOf(title, 'unsure')[0] ?? null,
    texts: [...textOf(content_html, 'html'), ...textOf(content_text, 'text'), ...textOf(summary, 'text')],
    guid,
    address,
    publishedAt: readFeedDate(rest.date_published ?? '') ?? readFeedDate(rest.date_modified ?? ''),
    media: feedMedia([...pictures, ...attached], { base: textBase }),
  };
}

export interface JsonFeedVisitor {
  readonly head: (head: { readonly title: string | null; readonly pageAddress: string | null }) => void;
  /** Null for an item that is something else than one. */
  readonly entry: (entry: FeedEntry | null) => void;
}

/** False when it is no feed. Throws what JSON.parse throws. */
export function readJsonFeed(json: string, address: string, visitor: JsonFeedVisitor): boolean {
  const parsed = feed.safeParse(JSON.parse(json));
  if (!parsed.success || parsed.data.version?.includes('jsonfeed.org') !== true) return false;
  const pageAddress = absoluteAddress(parsed.data.home_page_url ?? '', address);
  visitor.head({ title: parsed.data.title ?? null, pageAddress });
  for (const value of parsed.data.items) visitor.entry(jsonEntry(value, { address, pageAddress }));
  return true;
}
