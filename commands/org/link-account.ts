import { z } from 'zod';
import { requireLive } from '../../src/domain/lifetime-rules.ts';
import { orgSlugName } from '../../src/domain/name/name-streams.ts';
import { heldSlugWish } from '../../src/domain/name/slug-wish.ts';
import { accountFields, accountKey, accountsMax } from '../../src/domain/org/accounts.ts';
import type { OrgEvent } from '../../src/domain/org/events.ts';
import { orgNameWishes } from '../../src/domain/org/name-wishes.ts';
import { org } from '../../src/domain/org/state.ts';
import { defineCommand } from '../../src/kernel/command.ts';
import { DomainError } from '../../src/kernel/errors.ts';
import { orgId } from '../../src/kernel/ids.ts';
import { streamOf } from '../../src/kernel/stream-name.ts';

export const linkAccount = defineCommand({
  name: 'LinkAccount',
  input: z.strictObject({ orgId, account: accountFields }),
  stream: ({ orgId }) => streamOf('org', orgId),
  model: org,
  names: ({ account }, state) => {
    requireLive('org', state);
    const accounts = [...state.accounts, account];
    return orgNameWishes(heldSlugWish(state.slug, orgSlugName), { ...state, accounts });
  },
  decide: ({ account }, state, { now }): OrgEvent[] => {
    requireLive('org', state);
    if (state.accounts.some((linked) => accountKey(linked) === accountKey(account))) {
      throw new DomainError('conflict', { field: 'account', value: accountKey(account) });
    }
    const { length: current } = state.accounts;
    if (current >= accountsMax) throw new DomainError('limit_exceeded', { cap: 'accounts', max: accountsMax, current });
    return [{ type: 'OrgAccountLinked.v1', data: { ...account, linkedAt: now } }];
  },
});
