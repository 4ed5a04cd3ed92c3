import { describe, expect, test } from 'vitest';
import { restoreOrg } from '../../../commands/org/restore-org.ts';
import { given, testNow } from '../../spec/given-when-then.ts';
import { acme, firstExpired, lastRestorable, orgCreated, orgDeleted } from '../../spec/events/entity-events.ts';
import { wishesOf } from '../wishes-of.ts';

const past = [orgCreated({ domain: 'acme.example', aliases: ['acme.test'] }), orgDeleted];

describe('restore an org', () => {
  test('a deleted one comes back and wishes for the names it had', () => {
    given(restoreOrg, past)
      .when({ orgId: acme })
      .then([{ type: 'OrgRestored.v1', data: { restoredAt: testNow } }]);
    expect(wishesOf(restoreOrg, past, { orgId: acme })).toEqual({
      slug: 'slug: slug-org:acme',
      domain: 'domain: domain-acme.example',
      'alias:acme.test': 'alias: domain-acme.test',
    });
  });

  test('a living one stays as it is and keeps its names', () => {
    given(restoreOrg, [orgCreated()]).when({ orgId: acme }).thenNothing();
    expect(wishesOf(restoreOrg, [orgCreated()], { orgId: acme })).toEqual({ slug: 'slug: slug-org:acme' });
  });

  test('the thirty days are whole ones', () => {
    given(restoreOrg, past).when({ orgId: acme }, { now: lastRestorable }).thenTypes('OrgRestored.v1');
    given(restoreOrg, past).when({ orgId: acme }, { now: firstExpired }).thenFails('not_found', { entity: 'org' });
  });

  test('an absent one is not found', () => {
    given(restoreOrg).when({ orgId: acme }).thenFails('not_found', { entity: 'org' });
  });
});
