import type { Model } from '../../kernel/model.ts';
import type { OrgStatus } from '../enumerations.ts';
import { type Lifetime, purgedAt, unborn } from '../lifecycle.ts';
import { domainName, handleName, orgSlugName } from '../name/name-streams.ts';
import { accountKey, type LinkedAccount } from './accounts.ts';
import type { OrgEvent, OrgFields } from './events.ts';
import { demotedLocations, promotedLocations } from './locations.ts';

export interface OrgState extends OrgFields, Lifetime {
  readonly status: OrgStatus;
  /** The oldest first. */
  readonly accounts: readonly LinkedAccount[];
  readonly trackingRequestedAt: string | null;
  readonly promotion: Promotion | null;
}

/** From its beginning until the org is tracked, however many commands it takes. */
interface Promotion {
  /** The command that began it: what is made of a location follows from this, so that nothing is made twice. */
  readonly id: string;
  /** The command that works on it. */
  readonly holder: string | null;
  readonly begunAt: string;
}

/** What an org is where nobody says otherwise. */
export const newOrgFields: Omit<OrgFields, 'slug' | 'name'> = {
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
};

const initial: OrgState = {
  ...unborn,
  slug: '',
  name: '',
  ...newOrgFields,
  status: 'tracked',
  accounts: [],
  trackingRequestedAt: null,
  promotion: null,
};

export const org: Model<OrgState, OrgEvent> = {
  foldVersion: 3,
  initial,
  evolve: (state, event, { commandId }) => {
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
      case 'OrgPurged.v1':
        return { ...initial, ...purgedAt(event.data.purgedAt) };
      case 'OrgAccountLinked.v1':
        return { ...state, accounts: [...state.accounts, event.data] };
      case 'OrgAccountUnlinked.v1':
        return { ...state, accounts: state.accounts.filter((each) => accountKey(each) !== accountKey(event.data)) };
      case 'OrgTrackingRequested.v1':
        return { ...state, trackingRequestedAt: event.data.requestedAt };
      case 'OrgPromotionBegun.v1':
        return {
          ...state,
          promotion: { id: state.promotion?.id ?? commandId, holder: commandId, begunAt: event.data.begunAt },
        };
      case 'OrgPromotionAbandoned.v1':
        return { ...state, promotion: state.promotion && { ...state.promotion, holder: null } };
      case 'OrgPromoted.v1':
        return {
          ...state,
          status: 'tracked',
          locations: promotedLocations(state.locations, event.data.sources),
          trackingRequestedAt: null,
          promotion: null,
        };
      case 'OrgDemoted.v1':
        return { ...state, status: 'stub', locations: demotedLocations(state.locations) };
      default:
        return state;
    }
  },
};

/** The names that an org holds now; a deleted one holds none. */
export const orgNames = (state: OrgState): string[] =>
  state.lifecycle === 'live'
    ? [
        orgSlugName(state.slug),
        ...[state.domain, ...state.aliases].filter((name) => name !== null).map(domainName),
        ...state.accounts.map((account) => handleName(accountKey(account))),
      ]
    : [];
