import { z } from 'zod';
import { changedFields } from '../../src/domain/changed-fields.ts';
import { requireLive } from '../../src/domain/lifetime-rules.ts';
import { orgSlugName } from '../../src/domain/name/name-streams.ts';
import { changedSlugWish } from '../../src/domain/name/slug-wish.ts';
import type { OrgEvent } from '../../src/domain/org/events.ts';
import { type OrgChangeFields, orgChangeFields } from '../../src/domain/org/fields.ts';
import {
  type LocationFacts,
  locationFacts,
  requireLocationReferences,
} from '../../src/domain/org/location-references.ts';
import { storedLocations } from '../../src/domain/org/locations.ts';
import { distinctDomains, type OrgDomains, orgNameWishes } from '../../src/domain/org/name-wishes.ts';
import { type OrgState, org } from '../../src/domain/org/state.ts';
import { orgVisibilityEvents } from '../../src/domain/org/visibility.ts';
import { type DecisionContext, defineCommand } from '../../src/kernel/command.ts';
import { DomainError } from '../../src/kernel/errors.ts';
import { orgId } from '../../src/kernel/ids.ts';
import { streamOf } from '../../src/kernel/stream-name.ts';

interface ChangeOrg {
  readonly orgId: string;
  readonly changes: OrgChangeFields;
}

/** An alias that becomes the primary domain is an alias no longer. */
const domainsAfter = ({ domain, aliases }: OrgChangeFields, state: OrgState): OrgDomains =>
  distinctDomains({ domain: domain === undefined ? state.domain : domain, aliases: aliases ?? state.aliases });

const locationsAfter = ({ orgId, changes }: ChangeOrg, state: OrgState) =>
  changes.locations === undefined ? state.locations : storedLocations(orgId, changes.locations);

function requireValid({ orgId, changes }: ChangeOrg, state: OrgState, facts: LocationFacts): void {
  requireLive({ entity: 'org', id: orgId }, state);
  if (state.status === 'stub' && changes.locations?.length === 0) {
    throw new DomainError('conflict', { field: 'locations' }, 'A stub keeps at least one location.');
  }
  requireLocationReferences(orgId, state, changes.locations ?? [], facts);
}

export const changeOrg = defineCommand({
  name: 'ChangeOrg',
  input: z.strictObject({ orgId, changes: orgChangeFields }),
  stream: ({ orgId }) => streamOf('org', orgId),
  model: org,
  facts: ({ orgId, changes }, state) => locationFacts(orgId, state, changes.locations ?? []),
  names: (input, state, facts: LocationFacts) => {
    requireValid(input, state, facts);
    const slug = changedSlugWish('org', state.slug, input.changes.slug, orgSlugName);
    return orgNameWishes(slug, { ...domainsAfter(input.changes, state), accounts: state.accounts });
  },
  decide: (input, state, { facts, now }: DecisionContext<LocationFacts>): OrgEvent[] => {
    requireValid(input, state, facts);
    const { isHidden, ...fields } = input.changes;
    const wanted = { ...fields, ...domainsAfter(fields, state), locations: locationsAfter(input, state) };
    const changed = changedFields<OrgState>(state, wanted);
    return [
      ...(changed === null ? [] : [{ type: 'OrgChanged.v1', data: { changed } } as const]),
      ...orgVisibilityEvents(state, isHidden, now),
    ];
  },
});
