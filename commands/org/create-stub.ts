import { orgSlugName } from '../../src/domain/name/name-streams.ts';
import { chosenSlug, newSlugWish } from '../../src/domain/name/slug-wish.ts';
import type { OrgEvent } from '../../src/domain/org/events.ts';
import { orgStubFields } from '../../src/domain/org/fields.ts';
import { storedLocations } from '../../src/domain/org/locations.ts';
import { orgNameWishes } from '../../src/domain/org/name-wishes.ts';
import { newOrgFields, org } from '../../src/domain/org/state.ts';
import { defineCommand } from '../../src/kernel/command.ts';
import { streamOf } from '../../src/kernel/stream-name.ts';

/** An org of which only is known where it publishes. */
export const createStub = defineCommand({
  name: 'CreateStub',
  input: orgStubFields,
  stream: (_, newId) => streamOf('org', newId('org')),
  model: org,
  names: ({ name, domain }) =>
    orgNameWishes(newSlugWish('org', undefined, name, orgSlugName), { domain, aliases: [], accounts: [] }),
  decide: ({ locations, ...fields }, _, { id, now, names }): OrgEvent[] => [
    {
      type: 'OrgCreated.v1',
      data: {
        ...newOrgFields,
        ...fields,
        locations: storedLocations(id, locations),
        slug: chosenSlug(names),
        status: 'stub',
        createdAt: now,
      },
    },
  ],
});
