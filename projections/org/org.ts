import {
  firstSlug,
  type ShownSlugHistory,
  slugChanged,
  slugHidden,
  slugUnhidden,
} from '../../src/domain/name/earlier-slugs.ts';
import type { OrgStatus } from '../../src/domain/enumerations.ts';
import type { OrgEvent, OrgFields } from '../../src/domain/org/events.ts';
import { accountKey, type LinkedAccount } from '../../src/domain/org/accounts.ts';
import { demotedLocations, promotedLocations } from '../../src/domain/org/locations.ts';
import { nameKeyOf } from '../../src/domain/name-key.ts';
import { defineProjection, makesOne, one } from '../../src/kernel/projection.ts';

export interface OrgDocument extends OrgFields, ShownSlugHistory {
  readonly id: string;
  readonly nameKey: string;
  readonly status: OrgStatus;
  /** The oldest first. */
  readonly accounts: readonly LinkedAccount[];
  readonly trackingRequestedAt: string | null;
  readonly createdAt: string;
  readonly hidden: boolean;
  readonly deletedAt: string | null;
}

/** Every org that ever was: a deleted one keeps its document until it is purged. */
export const orgProjection = defineProjection<OrgDocument, OrgEvent>({
  name: 'org',
  generation: 5,
  indexes: {},
  on: {
    'OrgCreated.v1': makesOne(({ data, stream, metadata }) => ({
      id: stream.id,
      nameKey: nameKeyOf(data.name),
      ...data,
      ...firstSlug(metadata),
      accounts: [],
      trackingRequestedAt: null,
      hidden: false,
      deletedAt: null,
    })),
    'OrgChanged.v1': one((org, event) => {
      if (org === undefined) return undefined;
      const next = { ...org, ...event.data.changed };
      return { ...next, nameKey: nameKeyOf(next.name), ...slugChanged(org, next.slug, event) };
    }),
    'OrgHidden.v1': one((org, { metadata }) => org && { ...org, ...slugHidden(org, metadata), hidden: true }),
    'OrgUnhidden.v1': one((org) => org && { ...org, ...slugUnhidden(org), hidden: false }),
    'OrgDeleted.v1': one((org, { data }) => org && { ...org, deletedAt: data.deletedAt }),
    'OrgRestored.v1': one((org) => org && { ...org, deletedAt: null }),
    'OrgPurged.v1': one((org) => org && null),
    'OrgAccountLinked.v1': one((org, { data }) => org && { ...org, accounts: [...org.accounts, data] }),
    'OrgAccountUnlinked.v1': one(
      (org, { data }) =>
        org && { ...org, accounts: org.accounts.filter((account) => accountKey(account) !== accountKey(data)) },
    ),
    'OrgTrackingRequested.v1': one((org, { data }) => org && { ...org, trackingRequestedAt: data.requestedAt }),
    'OrgPromoted.v1': one(
      (org, { data }) =>
        org && {
          ...org,
          status: 'tracked',
          locations: promotedLocations(org.locations, data.sources),
          trackingRequestedAt: null,
        },
    ),
    'OrgDemoted.v1': one((org) => org && { ...org, status: 'stub', locations: demotedLocations(org.locations) }),
  },
});
