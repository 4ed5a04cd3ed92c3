import type { Model } from '../../kernel/model.ts';
import { type Lifetime, purgedAt, unborn } from '../lifecycle.ts';
import { packageName, sourceSlugName } from '../name/name-streams.ts';
import type { SourceEvent, SourceFields } from './events.ts';

export interface SourceState extends SourceFields, Lifetime {
  readonly orgId: string | null;
}

const initial: SourceState = {
  ...unborn,
  orgId: null,
  slug: '',
  name: '',
  type: 'scrape',
  url: '',
  productId: null,
  kind: null,
  isPrimary: false,
  discovery: 'curated',
  fetchPriority: 'normal',
  metadata: {},
  packages: [],
};

export const source: Model<SourceState, SourceEvent> = {
  foldVersion: 2,
  initial,
  evolve: (state, event) => {
    switch (event.type) {
      case 'SourceCreated.v1':
        return { ...initial, ...event.data, lifecycle: 'live' };
      case 'SourceChanged.v1':
        return { ...state, ...event.data.changed };
      case 'SourceHidden.v1':
        return { ...state, hidden: true };
      case 'SourceUnhidden.v1':
        return { ...state, hidden: false };
      case 'SourceDeleted.v1':
        return { ...state, lifecycle: 'deleted', deletedAt: event.data.deletedAt };
      case 'SourceRestored.v1':
        return { ...state, lifecycle: 'live', deletedAt: null };
      case 'SourcePurged.v1':
        return { ...initial, orgId: event.data.orgId, ...purgedAt(event.data.purgedAt) };
      default:
        return state;
    }
  },
};

/** A package stays claimed while only the org of its source is deleted, so that restoring the org brings it back. */
export const sourceNames = (state: SourceState): string[] =>
  state.lifecycle === 'live'
    ? [
        sourceSlugName(state.orgId, state.slug),
        ...state.packages.map(({ ecosystem, name }) => packageName(ecosystem, name)),
      ]
    : [];
