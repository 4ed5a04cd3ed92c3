import { describe, test } from 'vitest';
import { hideOrg } from '../../../commands/org/hide-org.ts';
import { given, testNow } from '../../spec/given-when-then.ts';
import { acme, orgCreated, orgDeleted, orgHidden } from '../../spec/events/entity-events.ts';

describe('hide an org', () => {
  test('a visible one is hidden', () => {
    given(hideOrg, [orgCreated()])
      .when({ orgId: acme })
      .then([{ type: 'OrgHidden.v1', data: { hiddenAt: testNow } }]);
  });

  test('a hidden one stays so', () => {
    given(hideOrg, [orgCreated(), orgHidden]).when({ orgId: acme }).thenNothing();
  });

  test('an absent or deleted one is not found', () => {
    given(hideOrg).when({ orgId: acme }).thenFails('not_found', { entity: 'org' });
    given(hideOrg, [orgCreated(), orgDeleted]).when({ orgId: acme }).thenFails('not_found', { entity: 'org' });
  });
});
