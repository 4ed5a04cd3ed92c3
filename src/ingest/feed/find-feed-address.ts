import { scanMarkup } from '../html/scan-markup.ts';
import { absoluteAddress } from '../html/web-address.ts';

/** Where a page has its links to feeds; the rest of a long one is not looked at. */
const pageCharsMax = 2_000_000;
const candidatesMax = 50;

const feedType = /^application\/(?:rss\+xml|atom\+xml|feed\+json|rdf\+xml|x-rss\+xml)\b/i;

interface Candidate {
  readonly address: string;
  readonly title: string;
}

/** Feeds about comments or single topics stand beside the one that is wanted. */
const isAside = ({ address, title }: Candidate): boolean =>
  /comment|\bpodcast|\/tags?\/|\/categor/i.test(`${title} ${address}`);
const isAboutReleases = ({ address, title }: Candidate): boolean =>
  /release|changelog|what.?s.?new|update/i.test(`${title} ${address}`);

/** The feed that a page names; of several the one about releases, else the first that is not about comments. */
export function findFeedAddress(html: string, address: string): string | null {
  const candidates: Candidate[] = [];
  let base = address;
  scanMarkup(
    html.slice(0, pageCharsMax),
    { xml: false },
    {
      open: ({ name, attributes }) => {
        const href = attributes.get('href');
        if (name === 'base' && href !== undefined) base = absoluteAddress(href, address) ?? base;
        if (name !== 'link' || href === undefined || candidates.length === candidatesMax) return;
        const isAlternate = (attributes.get('rel') ?? '').toLowerCase().split(/\s+/).includes('alternate');
        const found =
          isAlternate && feedType.test(attributes.get('type')?.trim() ?? '') ? absoluteAddress(href, base) : null;
        if (found !== null) candidates.push({ address: found, title: attributes.get('title') ?? '' });
      },
      close: () => {},
      text: () => {},
    },
  );
  const wanted = candidates.filter((candidate) => !isAside(candidate));
  return (wanted.find(isAboutReleases) ?? wanted[0] ?? candidates[0])?.address ?? null;
}
