import { z } from 'zod';
import type { OrgEvent } from '../../src/domain/org/events.ts';
import { orgCreateFields } from '../../src/domain/org/fields.ts';
import { distinctDomains, orgNameWishes } from '../../src/domain/org/name-wishes.ts';
import { newOrgFields, org } from '../../src/domain/org/state.ts';
import { orgSlugName } from '../../src/domain/name/name-streams.ts';
import { chosenSlug, newSlugWish } from '../../src/domain/name/slug-wish.ts';
import { defineCommand } from '../../src/kernel/command.ts';
import { streamOf } from '../../src/kernel/stream-name.ts';

export const createOrg = defineCommand({
  name: 'CreateOrg',
  // Nobody may ask for it over HTTP: only what is made on demand begins hidden.
  input: orgCreateFields.extend({ isHidden: z.boolean().exactOptional() }),
  stream: (_, newId) => streamOf('org', newId('org')),
  model: org,
  names: ({ slug, name, domain = null, aliases = [] }) =>
    orgNameWishes(newSlugWish('org', slug, name, orgSlugName), {
      ...distinctDomains({ domain, aliases }),
      accounts: [],
    }),
  decide: ({ isHidden = false, ...fields }, _, { now, names }): OrgEvent[] => {
    const created: OrgEvent = {
      type: 'OrgCreated.v1',
      data: {
        ...newOrgFields,
        ...fields,
        ...distinctDomains({ domain: fields.domain ?? null, aliases: fields.aliases ?? [] }),
        slug: chosenSlug(names),
        status: 'tracked',
        createdAt: now,
      },
    };
    return isHidden ? [created, { type: 'OrgHidden.v1', data: { hiddenAt: now } }] : [created];
  },
});
