import { describe, expect, test } from 'vitest';
import { createTag } from '../../../commands/tag/create-tag.ts';
import type { TagCreated } from '../../../src/domain/tag/events.ts';
import { given, testNow } from '../../spec/given-when-then.ts';
import { wishesOf } from '../wishes-of.ts';

const tagCreated = (name: string, slug: string): TagCreated => ({
  type: 'TagCreated.v1',
  data: { slug, name, createdAt: testNow },
});

describe('create a tag', () => {
  test('its slug comes from its name', () => {
    given(createTag)
      .when({ name: ' Machine  Learning ' })
      .then([tagCreated('Machine Learning', 'machine-learning')]);
    expect(wishesOf(createTag, [], { name: 'C++' })?.slug).toMatch(/^slug: slug-tag:c, slug-tag:c-2, /);
  });

  test('names that differ only in case have one stream', () => {
    const streamFor = (name: string) => createTag.stream({ name }, (prefix, key) => `${prefix}_${key}`);
    expect(streamFor('API')).toBe('tag-tag_api');
    expect(streamFor('Api')).toBe(streamFor('API'));
    expect(streamFor('apis')).not.toBe(streamFor('API'));
  });

  test('one that is there stays as it is, with its slug', () => {
    const past = [tagCreated('API', 'api-2')];
    given(createTag, past).when({ name: 'api' }).thenNothing();
    expect(wishesOf(createTag, past, { name: 'api' })).toEqual({ slug: 'slug: slug-tag:api-2' });
  });

  test('a name without a letter or digit gives no slug', () => {
    given(createTag).when({ name: '++' }).thenFails('validation_failed');
  });
});
