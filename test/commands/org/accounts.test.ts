import { describe, expect, test } from 'vitest';
import { changeOrg } from '../../../commands/org/change-org.ts';
import { linkAccount } from '../../../commands/org/link-account.ts';
import { restoreOrg } from '../../../commands/org/restore-org.ts';
import { unlinkAccount } from '../../../commands/org/unlink-account.ts';
import { accountKey, githubHandleOf } from '../../../src/domain/org/accounts.ts';
import type { OrgEvent } from '../../../src/domain/org/events.ts';
import { acme, orgCreated, orgDeleted } from '../../spec/events/entity-events.ts';
import { given, testNow } from '../../spec/given-when-then.ts';
import { wishesOf } from '../wishes-of.ts';

const linked = (platform: string, handle: string): OrgEvent => ({
  type: 'OrgAccountLinked.v1',
  data: { platform, handle, linkedAt: testNow },
});
const namesOf = (wishes: object = {}) => Object.keys(wishes).sort();
const of = (platform: string, handle: string) => ({ orgId: acme, account: { platform, handle } });

describe('linking an account', () => {
  test('keeps the platform in lower case and the handle as it was written', () => {
    given(linkAccount, [orgCreated()])
      .when(of(' GitHub ', 'AcmeCorp'))
      .then([linked('github', 'AcmeCorp')]);
  });

  test('refuses the same account in any case', () => {
    given(linkAccount, [orgCreated(), linked('github', 'AcmeCorp')])
      .when(of('github', 'acmecorp'))
      .thenFails('conflict', { field: 'account', value: 'github:acmecorp' });
  });

  test('is refused when there are a hundred', () => {
    const most = Array.from({ length: 100 }, (_, number) => linked('x', `handle-${number}`));
    given(linkAccount, [orgCreated(), ...most])
      .when(of('github', 'one-more'))
      .thenFails('limit_exceeded', { cap: 'accounts', max: 100, current: 100 });
  });

  test('of a deleted org finds no org', () => {
    given(linkAccount, [orgCreated(), orgDeleted]).when(of('github', 'x')).thenFails('not_found', { entity: 'org' });
  });

  test('is refused without a handle or with one that is too long', () => {
    for (const account of [
      { platform: 'x', handle: ' ' },
      { platform: 'x', handle: 'h'.repeat(201) },
      { platform: '', handle: 'h' },
      { platform: 'a:b', handle: 'h' },
    ]) {
      expect(linkAccount.input.safeParse({ orgId: acme, account }).success).toBe(false);
    }
  });

  test('every account is a name that the org holds, whatever else changes', () => {
    const past = [orgCreated(), linked('github', 'AcmeCorp')];
    const both = ['account:github:acmecorp', 'account:x:acme', 'slug'];
    expect(namesOf(wishesOf(linkAccount, past, of('x', 'acme')))).toEqual(both);
    const kept = ['account:github:acmecorp', 'slug'];
    expect(namesOf(wishesOf(changeOrg, past, { orgId: acme, changes: { name: 'A' } }))).toEqual(kept);
    expect(namesOf(wishesOf(restoreOrg, [...past, orgDeleted], { orgId: acme }))).toEqual(kept);
    expect(namesOf(wishesOf(unlinkAccount, past, of('github', 'ACMECORP')))).toEqual(['slug']);
  });
});

describe('unlinking an account', () => {
  test('names what was linked; another one is nothing new', () => {
    const past = [orgCreated(), linked('github', 'AcmeCorp')];
    given(unlinkAccount, past)
      .when(of('GITHUB', 'acmecorp'))
      .then([{ type: 'OrgAccountUnlinked.v1', data: { platform: 'github', handle: 'AcmeCorp', unlinkedAt: testNow } }]);
    given(unlinkAccount, past).when(of('x', 'acmecorp')).thenNothing();
  });
});

test('the handle on GitHub is the one that was linked first', () => {
  const accounts = [
    { platform: 'x', handle: 'a' },
    { platform: 'github', handle: 'b' },
    { platform: 'github', handle: 'a' },
  ];
  expect(githubHandleOf(accounts)).toBe('b');
  expect(githubHandleOf([])).toBeNull();
  expect(accountKey({ platform: 'X', handle: 'A' })).toBe('x:a');
});
