import { describe, expect, test } from 'vitest';
import { changeCollection } from '../../../commands/collection/change-collection.ts';
import { collectionCreated, collectionDeleted, tools } from '../../spec/events/collection-events.ts';
import { given } from '../../spec/given-when-then.ts';
import { wishesOf } from '../wishes-of.ts';

const change = (changes: object) => ({ collectionId: tools, changes });

describe('change a collection', () => {
  test('only fields that differ are recorded; null clears', () => {
    given(changeCollection, [collectionCreated({ description: 'Old' })])
      .when(change({ name: 'Tools', description: null, isFeatured: true }))
      .then([{ type: 'CollectionChanged.v1', data: { changed: { description: null, isFeatured: true } } }]);
  });

  test('nothing new is nothing recorded', () => {
    given(changeCollection, [collectionCreated()])
      .when(change({ slug: 'tools', isFeatured: false }))
      .thenNothing();
  });

  test('it wishes for the slug that it shall have, and keeps its own otherwise', () => {
    const wish = (changes: object) => wishesOf(changeCollection, [collectionCreated()], change(changes));
    expect(wish({ slug: 'kit' })).toEqual({ slug: 'slug: slug-collection:kit' });
    expect(wish({ name: 'Kit' })).toEqual({ slug: 'slug: slug-collection:tools' });
  });

  test('it is not found when absent or deleted', () => {
    for (const past of [[], [collectionCreated(), collectionDeleted]]) {
      given(changeCollection, past)
        .when(change({ name: 'x' }))
        .thenFails('not_found', { entity: 'collection' });
    }
  });
});
