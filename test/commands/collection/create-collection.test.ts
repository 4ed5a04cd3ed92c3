import { describe, expect, test } from 'vitest';
import { createCollection } from '../../../commands/collection/create-collection.ts';
import { collectionCreated } from '../../spec/events/collection-events.ts';
import { given, testNow } from '../../spec/given-when-then.ts';
import { wishesOf } from '../wishes-of.ts';

describe('create a collection', () => {
  test('a name is enough', () => {
    given(createCollection)
      .when({ name: ' Tools ' })
      .then([collectionCreated({ createdAt: testNow })]);
  });

  test('every field is kept', () => {
    const fields = { name: 'Tools', slug: 'the-tools', description: 'All of them', isFeatured: true };
    given(createCollection)
      .when(fields)
      .then([collectionCreated({ ...fields, createdAt: testNow })]);
  });

  test('its slug is one of all collections; no word is reserved', () => {
    expect(wishesOf(createCollection, [], { name: 'Admin', slug: 'releases' })).toEqual({
      slug: 'slug: slug-collection:releases',
    });
    expect(wishesOf(createCollection, [], { name: 'Admin' })?.slug).toMatch(
      /^slug: slug-collection:admin, slug-collection:admin-2, .*admin-20$/,
    );
  });
});
