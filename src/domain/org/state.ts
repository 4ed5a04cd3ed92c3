import type { Model } from '../../kernel/model.ts';
import type { OrgStatus } from '../enumerations.ts';
import { type Lifetime, unborn } from '../lifecycle.ts';
import { domainName, orgSlugName } from '../name/name-streams.ts';
import type { OrgEvent, OrgFields } from './events.ts';

export interface OrgState extends OrgFields, Lifetime {
  readonly status: OrgStatus;
}

const initial: OrgState = {
  ...unborn,
  slug: '',
  name: '',
  domain: null,
  description: null,
  category: null,
  avatarUrl: null,
  tags: [],
  aliases: [],
  featured: false,
  autoGenerateContent: true,
  fetchPaused: false,
  overviewCadenceDays: null,
  discovery: 'curated',
  locations: [],
  notice: null,
  status: 'tracked',
};

export const org: Model<OrgState, OrgEvent> = {
  foldVersion: 1,
  initial,
  evolve: (state, event) => {
    switch (event.type) {
      case 'OrgCreated.v1':
        return { ...initial, ...event.data, lifecycle: 'live' };
      case 'OrgChanged.v1':
        return { ...state, ...event.data.changed };
      case 'OrgHidden.v1':
        return { ...state, hidden: true };
      case 'OrgUnhidden.v1':
        return { ...state, hidden: false };
      case 'OrgDeleted.v1':
        return { ...state, lifecycle: 'deleted', deletedAt: event.data.deletedAt };
      case 'OrgRestored.v1':
        return { ...state, lifecycle: 'live', deletedAt: null };
      default:
        return state;
    }
  },
};

/** The names that an org holds now; a deleted one holds none. */
export const orgNames = (state: OrgState): string[] =>
  state.lifecycle === 'live'
    ? [orgSlugName(state.slug), ...[state.domain, ...state.aliases].filter((name) => name !== null).map(domainName)]
    : [];
