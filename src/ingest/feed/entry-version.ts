import { readChangelogHeading } from '../changelog/changelog-heading.ts';

/** The tag of a release, where the addresses of a forge name it. */
const tagInPath = /\/(?:releases\/tag|-\/releases|-\/tags|releases\/tags|src\/tag)\/([^/]{1,200})\/?$/;

function tagIn(address: string | null): string | null {
  const tag = address === null ? undefined : tagInPath.exec(new URL(address).pathname)?.[1];
  if (tag === undefined) return null;
  try {
    return decodeURIComponent(tag);
  } catch (error) {
    if (error instanceof URIError) return tag;
    throw error;
  }
}

/** The version that an entry is about, by the rules of changelogs: of its tag, else as its title names it. */
export function entryVersion(title: string, address: string | null): string | null {
  const tag = tagIn(address);
  const [ofTag] = tag === null ? [] : readChangelogHeading(tag).versions;
  return ofTag ?? readChangelogHeading(title).versions[0] ?? null;
}
