import { describe, expect, test } from 'vitest';
import { changeOrgTags } from '../../../commands/org/change-org-tags.ts';
import { changeProductTags } from '../../../commands/product/change-product-tags.ts';
import type { OrgEvent } from '../../../src/domain/org/events.ts';
import type { ProductEvent } from '../../../src/domain/product/events.ts';
import { org } from '../../../src/domain/org/state.ts';
import { acme, orgCreated, orgDeleted, productCreated, widget } from '../../spec/events/entity-events.ts';
import { given, stateAfter } from '../../spec/given-when-then.ts';

const tagged = (...tags: string[]): OrgEvent => ({ type: 'OrgChanged.v1', data: { changed: { tags } } });
const change = (tags: object) => ({ orgId: acme, tags });
const past = [orgCreated({ tags: ['CLI', 'db'] })];

describe('changing tags', () => {
  test('replaces, adds and removes; what differs in case is the same tag', () => {
    given(changeOrgTags, past)
      .when(change({ replace: ['z', ' a  b '] }))
      .then([tagged('a b', 'z')]);
    given(changeOrgTags, past)
      .when(change({ add: ['cli', 'web'] }))
      .then([tagged('CLI', 'db', 'web')]);
    given(changeOrgTags, past)
      .when(change({ remove: 'cli' }))
      .then([tagged('db')]);
  });

  test('that are there already, or gone already, is nothing new', () => {
    for (const tags of [{ add: ['Cli'] }, { remove: 'x' }, { replace: ['db', 'CLI'] }]) {
      given(changeOrgTags, past).when(change(tags)).thenNothing();
    }
  });

  test('more than fifty are refused, also one by one', () => {
    const fifty = Array.from({ length: 50 }, (_, n) => `tag ${n}`);
    given(changeOrgTags, [orgCreated({ tags: fifty })])
      .when(change({ add: ['one more'] }))
      .thenFails('validation_failed');
    expect(changeOrgTags.input.safeParse(change({ replace: [...fifty, 'one more'] })).success).toBe(false);
  });

  test('of a product needs its org, too', () => {
    const added: ProductEvent = { type: 'ProductChanged.v1', data: { changed: { tags: ['a'] } } };
    const input = { productId: widget, tags: { add: ['a'] } };
    given(changeProductTags, [productCreated()])
      .when(input, { facts: { org: stateAfter(org, [orgCreated()]) } })
      .then([added]);
    given(changeProductTags, [productCreated()])
      .when(input, { facts: { org: stateAfter(org, [orgCreated(), orgDeleted]) } })
      .thenFails('not_found', { entity: 'product' });
  });
});
