import { z } from 'zod';
import { requireLive } from '../../src/domain/lifetime-rules.ts';
import { orgSlugName } from '../../src/domain/name/name-streams.ts';
import { heldSlugWish } from '../../src/domain/name/slug-wish.ts';
import { accountFields, accountKey, type OrgAccount } from '../../src/domain/org/accounts.ts';
import type { OrgEvent } from '../../src/domain/org/events.ts';
import { orgNameWishes } from '../../src/domain/org/name-wishes.ts';
import { type OrgState, org } from '../../src/domain/org/state.ts';
import { defineCommand } from '../../src/kernel/command.ts';
import { orgId } from '../../src/kernel/ids.ts';
import { streamOf } from '../../src/kernel/stream-name.ts';

const others = ({ accounts }: OrgState, account: OrgAccount) =>
  accounts.filter((linked) => accountKey(linked) !== accountKey(account));

/** From then on another org can link it. */
export const unlinkAccount = defineCommand({
  name: 'UnlinkAccount',
  input: z.strictObject({ orgId, account: accountFields }),
  stream: ({ orgId }) => streamOf('org', orgId),
  model: org,
  names: ({ account }, state) => {
    requireLive('org', state);
    return orgNameWishes(heldSlugWish(state.slug, orgSlugName), { ...state, accounts: others(state, account) });
  },
  decide: ({ account }, state, { now }): OrgEvent[] => {
    requireLive('org', state);
    const linked = state.accounts.find((each) => accountKey(each) === accountKey(account));
    if (linked === undefined) return [];
    const { platform, handle } = linked;
    return [{ type: 'OrgAccountUnlinked.v1', data: { platform, handle, unlinkedAt: now } }];
  },
});
