import type { SourceDocument } from '../../projections/source/source.ts';
import type { EntityReads } from '../../src/catalogue/catalogue.ts';
import { isPrimarySource } from '../../src/catalogue/primary-source.ts';
import { isProductVisible, isSourceVisible, type Sight, shownProduct } from '../../src/catalogue/visibility.ts';
import { compareAlphabetically } from '../../src/domain/alphabetical.ts';
import type { LocationBasis } from '../../src/domain/enumerations.ts';
import type { StoredLocation } from '../../src/domain/org/events.ts';
import { githubCoordinate } from '../../src/domain/source/github-coordinate.ts';
import { metadataString } from './source/source-metadata.ts';

/** Exactly one of them is there. */
type Locator = Pick<StoredLocation, 'url' | 'feed' | 'github' | 'appstore' | 'file'>;

export type Location = Locator & {
  readonly title: string | null;
  readonly canonical: boolean;
  readonly basis: LocationBasis;
  readonly productId: string | null;
  readonly sourceId: string | null;
};

/** Where a source is read from, as fetching takes it (contract 3.6). */
export const locatorOf = (source: SourceDocument): Locator => {
  const githubUrl = metadataString(source, 'githubUrl');
  if (source.type === 'github' || githubUrl !== null) {
    const github = githubCoordinate(githubUrl ?? source.url);
    return github === null ? { url: source.url } : { github };
  }
  if (source.type === 'appstore') return { appstore: source.url };
  const feedUrl = metadataString(source, 'feedUrl');
  return source.type === 'feed' || feedUrl !== null ? { feed: feedUrl ?? source.url } : { url: source.url };
};

const locatorText = ({ url, feed, github, appstore, file }: Locator): string =>
  url ?? feed ?? github ?? appstore ?? file ?? '';

const compareLocations = (a: Location, b: Location): number =>
  Number(b.canonical) - Number(a.canonical) ||
  compareAlphabetically(a.title ?? locatorText(a), b.title ?? locatorText(b)) ||
  compareAlphabetically(locatorText(a), locatorText(b));

/**
 * As somebody sees it: null where its product or source is hidden or gone. A source stays when its product is deleted,
 * without one, and so does where it is read from.
 */
export const shownLocation = (
  catalogue: EntityReads,
  location: StoredLocation,
  sight: Sight,
): StoredLocation | null => {
  const { productId, sourceId } = location;
  const source = sourceId === null ? null : catalogue.source(sourceId);
  if (source === undefined || (source !== null && !isSourceVisible(catalogue, source, sight))) return null;
  const product = productId === null ? null : catalogue.product(productId);
  if (product === null) return location;
  if (source !== null && (product === undefined || product.deletedAt !== null)) return { ...location, productId: null };
  return product !== undefined && isProductVisible(catalogue, product, sight) ? location : null;
};

/** The stored locations, and one for each visible source that none of them points to. */
export const shownLocations = (
  catalogue: EntityReads,
  stored: readonly StoredLocation[],
  sources: readonly SourceDocument[],
  sight: Sight,
): Location[] => {
  const primaryIds = new Set(sources.filter((source) => isPrimarySource(catalogue, source)).map(({ id }) => id));
  const pointedTo = new Set(stored.map(({ sourceId }) => sourceId));
  const generated = sources
    .filter(({ id }) => !pointedTo.has(id))
    .map(
      (source): Location => ({
        ...locatorOf(source),
        title: source.name,
        canonical: primaryIds.has(source.id),
        basis: 'generated',
        productId: shownProduct(catalogue, source, sight)?.id ?? null,
        sourceId: source.id,
      }),
    );
  const kept = stored
    .flatMap((location) => shownLocation(catalogue, location, sight) ?? [])
    .map(({ id: _id, ...location }): Location => {
      const isPrimary = location.sourceId !== null && primaryIds.has(location.sourceId);
      return { ...location, canonical: location.canonical || isPrimary };
    });
  return [...kept, ...generated].sort(compareLocations);
};
