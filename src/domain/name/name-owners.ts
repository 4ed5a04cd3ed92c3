import type { DomainEvent } from '../../kernel/event.ts';
import { type Model } from '../../kernel/model.ts';
import { org, orgNames } from '../org/state.ts';
import { product, productNames } from '../product/state.ts';
import { source, sourceNames } from '../source/state.ts';

/** How to tell, from an owner's stream, which names it holds. */
export interface NameOwner<State = unknown> {
  readonly model: Model<State, DomainEvent>;
  readonly names: (state: State) => readonly string[];
}

const owner = <State, E extends DomainEvent>(
  model: Model<State, E>,
  names: (state: State) => readonly string[],
): NameOwner => ({ model, names }) as unknown as NameOwner;

/** By the category of the owner's stream. */
export const nameOwners: Readonly<Record<string, NameOwner>> = {
  org: owner(org, orgNames),
  product: owner(product, productNames),
  source: owner(source, sourceNames),
};
