import { z } from 'zod';
import { derivedId, productId, sourceId } from '../../kernel/ids.ts';
import { cleanText, lineText } from '../../kernel/text-rules.ts';
import { compareAlphabetically } from '../alphabetical.ts';
import { locationBases } from '../enumerations.ts';
import { httpUrl } from '../web-address.ts';
import type { StoredLocation } from './events.ts';

const locators = ['url', 'feed', 'github', 'appstore', 'file'] as const;
type Locators = Pick<StoredLocation, (typeof locators)[number]>;

const sentLocators = (location: Locators): string[] => locators.filter((kind) => location[kind] !== undefined);

/** Kind and address: what tells two locations of an org apart. */
const locatorOf = (location: Locators): [kind: string, address: string] => {
  const kind = locators.find((candidate) => location[candidate] !== undefined) ?? 'url';
  return [kind, location[kind] ?? ''];
};

const location = z
  .strictObject({
    url: httpUrl.exactOptional(),
    feed: httpUrl.exactOptional(),
    github: cleanText(3, 140)
      .regex(/^[A-Za-z0-9._-]+\/[A-Za-z0-9._-]+$/, { error: 'must be owner/repo' })
      .exactOptional(),
    appstore: httpUrl.exactOptional(),
    file: httpUrl.exactOptional(),
    title: lineText(1, 200).nullable().exactOptional(),
    canonical: z.boolean().exactOptional(),
    basis: z.enum(locationBases).exactOptional(),
    productId: productId.nullable().exactOptional(),
    sourceId: sourceId.nullable().exactOptional(),
  })
  .refine((sent) => sentLocators(sent).length === 1, {
    error: `must have exactly one of ${locators.join(', ')}`,
  });
export type LocationInput = z.infer<typeof location>;

/** At most as many as a manifest can show. */
export const locationList = z
  .array(location)
  .max(32)
  .refine((list) => new Set(list.map((each) => locatorOf(each).join('\n'))).size === list.length, {
    error: 'must not name a location twice',
  });

export const locationIdOf = (orgId: string, location: Locators): string =>
  derivedId('loc', orgId, ...locatorOf(location));

/** Locations of which sources were made say so. */
export const promotedLocations = (
  locations: readonly StoredLocation[],
  sources: Readonly<Record<string, string>>,
): readonly StoredLocation[] =>
  locations.map((location) => ({ ...location, sourceId: sources[location.id] ?? location.sourceId }));

/** Of an org without sources. */
export const demotedLocations = (locations: readonly StoredLocation[]): readonly StoredLocation[] =>
  locations.map((location) => ({ ...location, sourceId: null }));

const compareLocations = (a: StoredLocation, b: StoredLocation): number =>
  Number(b.canonical) - Number(a.canonical) ||
  compareAlphabetically(a.title ?? locatorOf(a)[1], b.title ?? locatorOf(b)[1]) ||
  compareAlphabetically(a.id, b.id);

/** In the order that readers see, so that sending the same ones in another order changes nothing. */
export const storedLocations = (orgId: string, inputs: readonly LocationInput[]): StoredLocation[] =>
  inputs
    .map(
      (input): StoredLocation => ({
        title: null,
        canonical: false,
        basis: 'curator',
        productId: null,
        sourceId: null,
        ...input,
        id: locationIdOf(orgId, input),
      }),
    )
    .sort(compareLocations);
