import { describe, test } from 'vitest';
import { unhideSource } from '../../../commands/source/unhide-source.ts';
import { given, testNow } from '../../spec/given-when-then.ts';
import {
  blog,
  deletedOrg,
  liveOrg,
  sourceCreated,
  sourceDeleted,
  sourceHidden,
} from '../../spec/events/entity-events.ts';

const input = { sourceId: blog };
const facts = { org: liveOrg };

describe('unhide a source', () => {
  test('a hidden one is shown', () => {
    given(unhideSource, [sourceCreated(), sourceHidden])
      .when(input, { facts })
      .then([{ type: 'SourceUnhidden.v1', data: { unhiddenAt: testNow } }]);
  });

  test('a visible one stays so', () => {
    given(unhideSource, [sourceCreated()]).when(input, { facts }).thenNothing();
  });

  test('it is not found when absent, deleted, or when its org is deleted', () => {
    const failure = ['not_found', { entity: 'source' }] as const;
    given(unhideSource)
      .when(input)
      .thenFails(...failure);
    given(unhideSource, [sourceCreated(), sourceDeleted])
      .when(input, { facts })
      .thenFails(...failure);
    given(unhideSource, [sourceCreated(), sourceHidden])
      .when(input, { facts: { org: deletedOrg } })
      .thenFails(...failure);
  });
});
