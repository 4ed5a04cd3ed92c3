import { describe, expect, test } from 'vitest';
import { deleteOrg } from '../../../commands/org/delete-org.ts';
import { purgeOrg } from '../../../commands/org/purge-org.ts';
import { restoreOrg } from '../../../commands/org/restore-org.ts';
import {
  acme,
  firstExpired,
  lastRestorable,
  orgCreated,
  orgDeleted,
  orgHidden,
  orgPurged,
} from '../../spec/events/entity-events.ts';
import { given, stateAfter, testNow } from '../../spec/given-when-then.ts';
import { org } from '../../../src/domain/org/state.ts';
import { wishesOf } from '../wishes-of.ts';

const asked = { orgId: acme, isAsked: true };
const due = { orgId: acme, isAsked: false };

describe('purge an org', () => {
  test('that somebody asks for: one event, and no name kept', () => {
    const purged = { type: 'OrgPurged.v1', data: { purgedAt: testNow } } as const;
    given(purgeOrg, [orgCreated()]).when(asked).then([purged]);
    given(purgeOrg, [orgCreated(), orgHidden]).when(asked).then([purged]);
    expect(wishesOf(purgeOrg, [orgCreated()], asked)).toEqual({});
  });

  test('an absent, deleted or purged one is not found', () => {
    for (const past of [[], [orgCreated(), orgDeleted], [orgCreated(), orgPurged]]) {
      given(purgeOrg, past).when(asked).thenFails('not_found', { entity: 'org' });
    }
  });

  test('nobody asks for: as soon as it cannot be restored any more, and not before', () => {
    const past = [orgCreated(), orgDeleted];
    given(purgeOrg, past).when(due, { now: lastRestorable }).then([]);
    given(purgeOrg, past).when(due, { now: firstExpired }).thenTypes('OrgPurged.v1');
    given(purgeOrg, [...past, orgPurged])
      .when(due, { now: firstExpired })
      .then([]);
    given(purgeOrg, [orgCreated()]).when(due, { now: firstExpired }).then([]);
    given(purgeOrg).when(due, { now: firstExpired }).then([]);
  });

  test('is for good: it can be neither restored nor deleted, and its state says nothing of it', () => {
    const past = [orgCreated({ name: 'Secret', description: 'Secret' }), orgPurged];
    given(restoreOrg, past).when({ orgId: acme }).thenFails('not_found', { entity: 'org' });
    given(deleteOrg, past).when({ orgId: acme }).thenFails('not_found', { entity: 'org' });
    expect(JSON.stringify(stateAfter(org, past))).not.toContain('Secret');
    expect(stateAfter(org, past)).toEqual(stateAfter(org, [orgPurged]));
  });
});
