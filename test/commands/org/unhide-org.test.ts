import { describe, test } from 'vitest';
import { unhideOrg } from '../../../commands/org/unhide-org.ts';
import { given, testNow } from '../../spec/given-when-then.ts';
import { acme, orgCreated, orgDeleted, orgHidden } from '../../spec/events/entity-events.ts';

describe('unhide an org', () => {
  test('a hidden one is shown', () => {
    given(unhideOrg, [orgCreated(), orgHidden])
      .when({ orgId: acme })
      .then([{ type: 'OrgUnhidden.v1', data: { unhiddenAt: testNow } }]);
  });

  test('a visible one stays so', () => {
    given(unhideOrg, [orgCreated()]).when({ orgId: acme }).thenNothing();
  });

  test('an absent or deleted one is not found', () => {
    given(unhideOrg).when({ orgId: acme }).thenFails('not_found', { entity: 'org' });
    given(unhideOrg, [orgCreated(), orgHidden, orgDeleted])
      .when({ orgId: acme })
      .thenFails('not_found', { entity: 'org' });
  });
});
