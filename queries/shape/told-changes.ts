import { isDeepStrictEqual } from 'node:util';
import type { Catalogue } from '../../src/catalogue/catalogue.ts';
import { isProductVisible, publicSight } from '../../src/catalogue/visibility.ts';
import type { FieldChange } from '../../src/domain/field-changes.ts';
import type { StoredLocation } from '../../src/domain/org/events.ts';
import { publicMetadata } from '../../src/domain/source/metadata.ts';
import { shownLocation } from './locations.ts';

const isProductShown = (catalogue: Catalogue, productId: string): boolean => {
  const product = catalogue.product(productId);
  return product !== undefined && isProductVisible(catalogue, product);
};

/** A value as everybody may see it: what is hidden today shows nowhere, also where it was shown once. */
const publicValue = (catalogue: Catalogue, field: string, value: unknown): unknown => {
  if (value === null || value === undefined) return null;
  switch (field) {
    case 'productId':
      return isProductShown(catalogue, value as string) ? value : null;
    case 'locations':
      return (value as readonly StoredLocation[]).flatMap(
        (location) => shownLocation(catalogue, location, publicSight) ?? [],
      );
    case 'metadata': {
      const shown = publicMetadata(value as Readonly<Record<string, unknown>>);
      return Object.keys(shown).length === 0 ? null : shown;
    }
    case 'trackingRequestedAt':
      return null;
    default:
      return value;
  }
};

/** In the form that the details of entities have it. */
const toldValue = (field: string, value: unknown): unknown => {
  if (value === null) return null;
  if (field === 'metadata') return JSON.stringify(value);
  if (field !== 'locations') return value;
  return (value as readonly StoredLocation[]).map(({ id: _, ...location }) => location);
};

/** As whoever asks may be told; what no longer differs then is left out. */
export const toldChanges = (catalogue: Catalogue, changes: readonly FieldChange[], admin: boolean): FieldChange[] => {
  const told = changes.map(({ field, from, to }) =>
    admin
      ? { field, from, to }
      : { field, from: publicValue(catalogue, field, from), to: publicValue(catalogue, field, to) },
  );
  return told
    .filter(({ from, to }) => !isDeepStrictEqual(from, to))
    .map(({ field, from, to }) => ({
      field,
      from: toldValue(field, from),
      to: toldValue(field, to),
    }));
};
