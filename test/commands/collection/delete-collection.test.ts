import { describe, expect, test } from 'vitest';
import { deleteCollection } from '../../../commands/collection/delete-collection.ts';
import { collectionNames } from '../../../src/domain/collection/state.ts';
import { collectionCreated, collectionDeleted, tools } from '../../spec/events/collection-events.ts';
import { given, stateAfter, testNow } from '../../spec/given-when-then.ts';

describe('delete a collection', () => {
  test('it is gone for good', () => {
    given(deleteCollection, [collectionCreated()])
      .when({ collectionId: tools })
      .then([{ type: 'CollectionDeleted.v1', data: { deletedAt: testNow } }]);
    given(deleteCollection, [collectionCreated(), collectionDeleted])
      .when({ collectionId: tools })
      .thenFails('not_found', { entity: 'collection' });
  });

  test('its slug is free', () => {
    expect(collectionNames(stateAfter(deleteCollection.model, [collectionCreated()]))).toEqual([
      'slug-collection:tools',
    ]);
    expect(collectionNames(stateAfter(deleteCollection.model, [collectionCreated(), collectionDeleted]))).toEqual([]);
  });
});
