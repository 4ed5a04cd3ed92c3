import type { OrgStatus } from '../../src/domain/enumerations.ts';
import type { OrgEvent, OrgFields } from '../../src/domain/org/events.ts';
import { nameKeyOf } from '../../src/domain/name-key.ts';
import { defineProjection, one } from '../../src/kernel/projection.ts';

export interface OrgDocument extends OrgFields {
  readonly id: string;
  readonly nameKey: string;
  readonly status: OrgStatus;
  readonly createdAt: string;
  readonly hidden: boolean;
  readonly deletedAt: string | null;
}

/** Every org that ever was: a deleted one keeps its document until it is purged. */
export const orgProjection = defineProjection<OrgDocument, OrgEvent>({
  name: 'org',
  generation: 1,
  indexes: {},
  on: {
    'OrgCreated.v1': one((_, { data, stream }) => ({
      id: stream.id,
      nameKey: nameKeyOf(data.name),
      ...data,
      hidden: false,
      deletedAt: null,
    })),
    'OrgChanged.v1': one((org, { data: { changed } }) => {
      if (org === undefined) return undefined;
      const next = { ...org, ...changed };
      return { ...next, nameKey: nameKeyOf(next.name) };
    }),
    'OrgHidden.v1': one((org) => org && { ...org, hidden: true }),
    'OrgUnhidden.v1': one((org) => org && { ...org, hidden: false }),
    'OrgDeleted.v1': one((org, { data }) => org && { ...org, deletedAt: data.deletedAt }),
    'OrgRestored.v1': one((org) => org && { ...org, deletedAt: null }),
  },
});
