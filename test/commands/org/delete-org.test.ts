import { describe, expect, test } from 'vitest';
import { deleteOrg } from '../../../commands/org/delete-org.ts';
import { given, testNow } from '../../spec/given-when-then.ts';
import { acme, orgCreated, orgDeleted } from '../../spec/events/entity-events.ts';
import { wishesOf } from '../wishes-of.ts';

describe('delete an org', () => {
  test('one event, whatever it holds, and no name kept', () => {
    given(deleteOrg, [orgCreated()])
      .when({ orgId: acme })
      .then([{ type: 'OrgDeleted.v1', data: { deletedAt: testNow } }]);
    expect(wishesOf(deleteOrg, [orgCreated()], { orgId: acme })).toEqual({});
  });

  test('an absent or deleted one is not found', () => {
    given(deleteOrg).when({ orgId: acme }).thenFails('not_found', { entity: 'org' });
    given(deleteOrg, [orgCreated(), orgDeleted]).when({ orgId: acme }).thenFails('not_found', { entity: 'org' });
  });
});
