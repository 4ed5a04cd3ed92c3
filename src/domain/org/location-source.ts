import { hyphenated } from '../../kernel/slugs.ts';
import { cutText } from '../../kernel/text-rules.ts';
import type { StoredLocation } from './events.ts';

/** So many of one name get slugs that are made from it; there are twenty of them. */
const namesakesMax = 15;

/** The source that a location becomes: its type is told by its address unless the location says so. */
function sourceOfLocation(orgName: string, location: StoredLocation) {
  const { url, feed, github, appstore, file, title, canonical } = location;
  const repository = github?.split('/')[1];
  const address = url ?? feed ?? appstore ?? file ?? `https://github.com/${github}`;
  return {
    name: cutText(title ?? repository ?? orgName, 120),
    url: address,
    ...(feed !== undefined && { type: 'feed' as const, metadata: { feedUrl: feed } }),
    isPrimary: canonical,
  };
}

/** A slug that no name gives: of letters and digits of the location's id, so that the same location has the same. */
const slugOfLocation = ({ id }: StoredLocation): string => `location-${id.slice(-12).toLowerCase()}`;

/** All of them, in order. A name without a letter or digit, or one too many of a name, would leave none for a slug. */
export function sourcesOfLocations(orgName: string, locations: readonly StoredLocation[]) {
  const seen = new Map<string, number>();
  return locations.map((location) => {
    const fields = sourceOfLocation(orgName, location);
    const base = hyphenated(fields.name);
    const namesakes = (seen.get(base) ?? 0) + 1;
    seen.set(base, namesakes);
    const isGenerated = base !== '' && namesakes <= namesakesMax;
    return { location, fields: isGenerated ? fields : { ...fields, slug: slugOfLocation(location) } };
  });
}
