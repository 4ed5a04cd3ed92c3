import { type FactRequests, fact } from '../../kernel/command.ts';
import { type ProductState, product } from '../product/state.ts';
import { requirePartOfOrg } from '../part-of-org.ts';
import { type SourceState, source } from '../source/state.ts';
import { type LocationInput, locationIdOf } from './locations.ts';
import type { OrgState } from './state.ts';

type ProductStream = `product-${string}`;
type SourceStream = `source-${string}`;

/** The products and sources that new locations point to, by their streams. */
export type LocationFacts = {
  readonly [stream: ProductStream]: ProductState;
  readonly [stream: SourceStream]: SourceState;
};

const productStream = (id: string): ProductStream => `product-${id}`;
const sourceStream = (id: string): SourceStream => `source-${id}`;

interface Reference {
  readonly path: string;
  readonly productId: string | null;
  readonly sourceId: string | null;
}

/** Only links that are new: one that is stored stays valid when what it points to is deleted later. */
export const newReferences = (
  orgId: string,
  stored: OrgState['locations'],
  sent: readonly LocationInput[],
): Reference[] =>
  sent.map((location, index) => {
    const before = stored.find(({ id }) => id === locationIdOf(orgId, location));
    const { productId = null, sourceId = null } = location;
    return {
      path: `locations[${index}]`,
      productId: productId === before?.productId ? null : productId,
      sourceId: sourceId === before?.sourceId ? null : sourceId,
    };
  });

export const locationFacts = (
  orgId: string,
  { locations }: OrgState,
  sent: readonly LocationInput[],
): FactRequests<LocationFacts> =>
  Object.fromEntries(
    newReferences(orgId, locations, sent).flatMap(({ productId, sourceId }) => [
      ...(productId === null ? [] : [[productStream(productId), fact(productStream(productId), product)]]),
      ...(sourceId === null ? [] : [[sourceStream(sourceId), fact(sourceStream(sourceId), source)]]),
    ]),
  );

export function requireLocationReferences(
  orgId: string,
  { locations }: OrgState,
  sent: readonly LocationInput[],
  facts: LocationFacts,
): void {
  for (const { path, productId, sourceId } of newReferences(orgId, locations, sent)) {
    if (productId !== null)
      requirePartOfOrg(
        { entity: 'product', id: productId },
        facts[productStream(productId)],
        orgId,
        `${path}.productId`,
      );
    if (sourceId !== null)
      requirePartOfOrg({ entity: 'source', id: sourceId }, facts[sourceStream(sourceId)], orgId, `${path}.sourceId`);
  }
}
