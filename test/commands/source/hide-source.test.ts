import { describe, test } from 'vitest';
import { hideSource } from '../../../commands/source/hide-source.ts';
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

describe('hide a source', () => {
  test('a visible one is hidden', () => {
    given(hideSource, [sourceCreated()])
      .when(input, { facts })
      .then([{ type: 'SourceHidden.v1', data: { hiddenAt: testNow } }]);
  });

  test('a hidden one stays so', () => {
    given(hideSource, [sourceCreated(), sourceHidden]).when(input, { facts }).thenNothing();
  });

  test('it is not found when absent, deleted, or when its org is deleted', () => {
    const failure = ['not_found', { entity: 'source' }] as const;
    given(hideSource)
      .when(input)
      .thenFails(...failure);
    given(hideSource, [sourceCreated(), sourceDeleted])
      .when(input, { facts })
      .thenFails(...failure);
    given(hideSource, [sourceCreated()])
      .when(input, { facts: { org: deletedOrg } })
      .thenFails(...failure);
  });
});
