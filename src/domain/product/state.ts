import type { Model } from '../../kernel/model.ts';
import { type Lifetime, purgedAt, unborn } from '../lifecycle.ts';
import { productSlugName } from '../name/name-streams.ts';
import type { ProductEvent, ProductFields } from './events.ts';

export interface ProductState extends ProductFields, Lifetime {
  readonly orgId: string;
  readonly slug: string;
}

const initial: ProductState = {
  ...unborn,
  orgId: '',
  slug: '',
  name: '',
  url: null,
  description: null,
  category: null,
  kind: null,
  avatarUrl: null,
  tags: [],
  aliases: [],
  notice: null,
};

export const product: Model<ProductState, ProductEvent> = {
  foldVersion: 2,
  initial,
  evolve: (state, event) => {
    switch (event.type) {
      case 'ProductCreated.v1':
        return { ...initial, ...event.data, lifecycle: 'live' };
      case 'ProductChanged.v1':
        return { ...state, ...event.data.changed };
      case 'ProductHidden.v1':
        return { ...state, hidden: true };
      case 'ProductUnhidden.v1':
        return { ...state, hidden: false };
      case 'ProductDeleted.v1':
        return { ...state, lifecycle: 'deleted', deletedAt: event.data.deletedAt };
      case 'ProductRestored.v1':
        return { ...state, lifecycle: 'live', deletedAt: null };
      case 'ProductPurged.v1':
        return { ...initial, orgId: event.data.orgId, ...purgedAt(event.data.purgedAt) };
      default:
        return state;
    }
  },
};

export const productNames = (state: ProductState): string[] =>
  state.lifecycle === 'live' ? [productSlugName(state.orgId, state.slug)] : [];
