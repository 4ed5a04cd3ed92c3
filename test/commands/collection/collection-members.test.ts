import { describe, expect, test } from 'vitest';
import { addCollectionMember } from '../../../commands/collection/add-collection-member.ts';
import { removeCollectionMember } from '../../../commands/collection/remove-collection-member.ts';
import { replaceCollectionMembers } from '../../../commands/collection/replace-collection-members.ts';
import type { MemberFacts } from '../../../src/domain/collection/member-facts.ts';
import { collection } from '../../../src/domain/collection/state.ts';
import { collectionCreated, collectionDeleted, membersReplaced, tools } from '../../spec/events/collection-events.ts';
import {
  acme,
  deletedOrg,
  hiddenOrg,
  idOf,
  liveOrg,
  other,
  productAfter,
  productCreated,
  productDeleted,
  widget,
} from '../../spec/events/entity-events.ts';
import { given, stateAfter } from '../../spec/given-when-then.ts';

const facts: MemberFacts = {
  'org-org_AAAAAAAAAAAAAAAAAAAAA': liveOrg,
  'org-org_BBBBBBBBBBBBBBBBBBBBB': hiddenOrg,
  'product-prod_WWWWWWWWWWWWWWWWWWWWW': productAfter(productCreated()),
};
const at = (id: string, position: number | null = null) => ({ id, position });
const past = [collectionCreated(), membersReplaced(at(acme, 2))];

describe('replace the members of a collection', () => {
  const replace = (...members: object[]) => ({ collectionId: tools, members });

  test('they are recorded in one order: by position, then those without one', () => {
    given(replaceCollectionMembers, past)
      .when(replace(at(other), at(widget), at(acme, 1)), { facts })
      .then([membersReplaced(at(acme, 1), at(other), at(widget))]);
    given(replaceCollectionMembers, past).when(replace()).then([membersReplaced()]);
  });

  test('the same ones in another order are nothing new', () => {
    given(replaceCollectionMembers, [collectionCreated(), membersReplaced(at(acme, 1), at(other), at(widget))])
      .when(replace(at(widget), at(other), at(acme, 1)))
      .thenNothing();
  });

  test('a member is named once, and there are at most 500', () => {
    const many = (count: number) => Array.from({ length: count }, (_, n) => at(`org_${String(n).padStart(21, '0')}`));
    const accepts = (members: object[]) => replaceCollectionMembers.input.safeParse(replace(...members)).success;
    expect(accepts([at(acme, 1), at(acme, 2)])).toBe(false);
    expect(accepts(many(500))).toBe(true);
    expect(accepts(many(501))).toBe(false);
    expect(accepts([at(idOf('src', 'S'))])).toBe(false);
    expect(accepts([at(acme, -1)])).toBe(false);
    expect(accepts([at(acme, 0.5)])).toBe(false);
  });

  test('new ones must be there, those that are members already need not', () => {
    const gone = {
      'org-org_AAAAAAAAAAAAAAAAAAAAA': deletedOrg,
      'product-prod_WWWWWWWWWWWWWWWWWWWWW': productAfter(productCreated()),
    };
    const replaceAfter = (before: typeof past, member: object) =>
      given(replaceCollectionMembers, before).when(replace(member), { facts: gone });
    replaceAfter([collectionCreated()] as typeof past, at(acme)).thenFails('not_found', { entity: 'org' });
    replaceAfter(past, at(acme, 7)).then([membersReplaced(at(acme, 7))]);
    // With its org the product is gone too.
    replaceAfter(past, at(widget)).thenFails('not_found', { entity: 'product' });
  });

  test('only the facts of new ones are asked for, those of a product with its org', () => {
    const state = stateAfter(collection, past);
    const asked = (known: Partial<MemberFacts>) =>
      Object.keys(
        replaceCollectionMembers.facts!({ collectionId: tools, members: [at(acme), at(widget)] }, state, known),
      );
    expect(asked({})).toEqual([`product-${widget}`]);
    expect(asked(facts)).toEqual([`product-${widget}`, `org-${acme}`]);
  });
});

describe('add a member to a collection', () => {
  const add = (member: object) => ({ collectionId: tools, member });

  test('it is recorded with its position', () => {
    given(addCollectionMember, past)
      .when(add(at(widget, 3)), { facts })
      .then([{ type: 'CollectionMemberAdded.v1', data: { member: at(widget, 3) } }]);
  });

  test('twice is a conflict, whatever the position', () => {
    given(addCollectionMember, past)
      .when(add(at(acme, 9)), { facts })
      .thenFails('conflict', { field: 'member', value: acme });
  });

  test('one that is deleted is not found', () => {
    const deleted = { 'product-prod_WWWWWWWWWWWWWWWWWWWWW': productAfter(productCreated(), productDeleted) };
    given(addCollectionMember, past)
      .when(add(at(widget)), { facts: deleted })
      .thenFails('not_found', { entity: 'product' });
  });

  test('a full collection takes no more', () => {
    const members = Array.from({ length: 500 }, (_, n) => at(`org_${String(n).padStart(21, '0')}`));
    given(addCollectionMember, [collectionCreated(), membersReplaced(...members)])
      .when(add(at(acme)), { facts })
      .thenFails('limit_exceeded', { cap: 'members', max: 500, current: 500 });
  });

  test('it takes its place in the order', () => {
    const added = { type: 'CollectionMemberAdded.v1', data: { member: at(widget, 0) } } as const;
    expect(stateAfter(collection, [...past, added]).members).toEqual([at(widget, 0), at(acme, 2)]);
  });
});

describe('remove a member of a collection', () => {
  const remove = (memberId: string) => ({ collectionId: tools, memberId });

  test('it is gone', () => {
    const removed = { type: 'CollectionMemberRemoved.v1', data: { memberId: acme } } as const;
    given(removeCollectionMember, past).when(remove(acme)).then([removed]);
    expect(stateAfter(collection, [...past, removed]).members).toEqual([]);
  });

  test('one that is none is not found', () => {
    given(removeCollectionMember, past).when(remove(other)).thenFails('not_found', { entity: 'org' });
    given(removeCollectionMember, past).when(remove(widget)).thenFails('not_found', { entity: 'product' });
  });
});

test('a collection that is deleted has no members to change', () => {
  const gone = [collectionCreated(), collectionDeleted];
  const failure = ['not_found', { entity: 'collection' }] as const;
  given(replaceCollectionMembers, gone)
    .when({ collectionId: tools, members: [] })
    .thenFails(...failure);
  given(addCollectionMember, gone)
    .when({ collectionId: tools, member: at(acme) }, { facts })
    .thenFails(...failure);
  given(removeCollectionMember, gone)
    .when({ collectionId: tools, memberId: acme })
    .thenFails(...failure);
});
