import type { DomainEvent } from '../../kernel/event.ts';
import type { Model } from '../../kernel/model.ts';
import { collection, collectionNames } from '../collection/state.ts';
import { org, orgNames } from '../org/state.ts';
import { product, productNames } from '../product/state.ts';
import { source, sourceNames } from '../source/state.ts';
import { tag, tagNames } from '../tag/state.ts';

/** How to tell, from an owner's stream, which names it holds. */
export interface NameOwner<State = unknown> {
  readonly model: Model<State, DomainEvent>;
  // A method, not a property: so a table can hold owners of any state.
  names(state: State): readonly string[];
}

// Here the compiler sees that names and model are about the same state; the table below does not tell which.
const owner = <State>(each: NameOwner<State>): NameOwner => each;

/** By the category of the owner's stream. */
export const nameOwners: Readonly<Record<string, NameOwner>> = {
  org: owner({ model: org, names: orgNames }),
  product: owner({ model: product, names: productNames }),
  source: owner({ model: source, names: sourceNames }),
  collection: owner({ model: collection, names: collectionNames }),
  tag: owner({ model: tag, names: tagNames }),
};
