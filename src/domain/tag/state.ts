import type { Model } from '../../kernel/model.ts';
import { tagSlugName } from '../name/name-streams.ts';
import type { TagCreated } from './events.ts';

export type TagState = { readonly status: 'absent' } | ({ readonly status: 'live' } & TagCreated['data']);

export const tag: Model<TagState, TagCreated> = {
  foldVersion: 1,
  initial: { status: 'absent' },
  evolve: (state, event) => (event.type === 'TagCreated.v1' ? { status: 'live', ...event.data } : state),
};

export const tagNames = (state: TagState): string[] => (state.status === 'live' ? [tagSlugName(state.slug)] : []);
