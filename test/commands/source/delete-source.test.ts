import { describe, expect, test } from 'vitest';
import { deleteSource } from '../../../commands/source/delete-source.ts';
import { given, testNow } from '../../spec/given-when-then.ts';
import { blog, deletedOrg, hiddenOrg, liveOrg, sourceCreated, sourceDeleted } from '../../spec/events/entity-events.ts';
import { wishesOf } from '../wishes-of.ts';

const input = { sourceId: blog };
const facts = { org: liveOrg };

describe('delete a source', () => {
  test('a living one is deleted and keeps no name, also below a hidden org', () => {
    given(deleteSource, [sourceCreated()])
      .when(input, { facts })
      .then([{ type: 'SourceDeleted.v1', data: { deletedAt: testNow } }]);
    given(deleteSource, [sourceCreated()])
      .when(input, { facts: { org: hiddenOrg } })
      .thenTypes('SourceDeleted.v1');
    expect(wishesOf(deleteSource, [sourceCreated()], input, facts)).toEqual({});
  });

  test('it is not found when absent, deleted, or when its org is deleted', () => {
    const failure = ['not_found', { entity: 'source' }] as const;
    given(deleteSource)
      .when(input)
      .thenFails(...failure);
    given(deleteSource, [sourceCreated(), sourceDeleted])
      .when(input, { facts })
      .thenFails(...failure);
    given(deleteSource, [sourceCreated()])
      .when(input, { facts: { org: deletedOrg } })
      .thenFails(...failure);
  });
});
