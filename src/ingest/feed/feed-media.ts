import type { MediaType } from '../../domain/enumerations.ts';
import { cutText } from '../../kernel/text-rules.ts';
import { cleanedLine } from '../clean-text.ts';
import { absoluteAddress } from '../html/web-address.ts';
import type { FeedMedia } from './feed-entry.ts';
import { childOf, textOf, type XmlNode } from './xml-node.ts';

/** With addresses of full length this stays within what the media of a release may take. */
const mediaMax = 20;
const altCharsMax = 300;

export interface MediaCandidate {
  readonly address: string | undefined;
  /** As a MIME type or a medium; without one its ending tells. */
  readonly type: string | undefined;
  readonly alt?: string | undefined;
}

/** Sounds, documents and players are none that a release shows. */
function mediaTypeOf(type: string | undefined, address: string): MediaType | null {
  const said = type?.trim().toLowerCase() ?? '';
  const path = new URL(address).pathname.toLowerCase();
  if (said === 'image/gif' || ((said === '' || said === 'image') && path.endsWith('.gif'))) return 'gif';
  if (said === 'image' || said.startsWith('image/')) return 'image';
  if (said === 'video' || said.startsWith('video/')) return 'video';
  if (said !== '') return null;
  if (/\.(?:png|jpe?g|webp|avif|svg)$/.test(path)) return 'image';
  return /\.(?:mp4|webm|mov|m4v)$/.test(path) ? 'video' : null;
}

/** Those that can be shown, each once. */
export function feedMedia(
  candidates: readonly MediaCandidate[],
  { base, linkUrl = null }: { readonly base: string | null; readonly linkUrl?: string | null },
): FeedMedia[] {
  const media = new Map<string, FeedMedia>();
  for (const { address, type, alt } of candidates) {
    if (media.size === mediaMax) break;
    const url = absoluteAddress(address ?? '', base);
    const mediaType = url === null ? null : mediaTypeOf(type, url);
    if (url === null || mediaType === null || media.has(url)) continue;
    const described = cutText(cleanedLine(alt ?? ''), altCharsMax);
    media.set(url, {
      type: mediaType,
      url,
      ...(described !== '' && { alt: described }),
      ...(linkUrl !== null && { linkUrl }),
    });
  }
  return [...media.values()];
}

const elementsMax = 100;

/** What `media:` elements in any grouping name. */
export function mediaElements(entry: XmlNode): MediaCandidate[] {
  const groups = entry.children.filter(
    ({ space, local }) => space === 'media' && (local === 'group' || local === 'content'),
  );
  const title = groups.map((group) => textOf(childOf(group, 'media', 'title'))).find((text) => text !== '');
  return [entry, ...groups]
    .flatMap(({ children }) => children)
    .filter(({ space }) => space === 'media')
    .slice(0, elementsMax)
    .flatMap(({ local, attributes, children }): MediaCandidate[] => {
      if (local !== 'content' && local !== 'thumbnail') return [];
      const own = children.find((child) => child.space === 'media' && child.local === 'title');
      const type = local === 'thumbnail' ? 'image' : (attributes.get('type') ?? attributes.get('medium'));
      return [{ address: attributes.get('url'), type, alt: textOf(own ?? null) || title }];
    });
}
