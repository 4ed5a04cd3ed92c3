import { describe, expect, test } from 'vitest';
import { restoreSource } from '../../../commands/source/restore-source.ts';
import { given, testNow } from '../../spec/given-when-then.ts';
import {
  acme,
  deletedOrg,
  firstExpired,
  lastRestorable,
  liveOrg,
  sourceCreated,
  sourceDeleted,
  blog,
} from '../../spec/events/entity-events.ts';
import { wishesOf } from '../wishes-of.ts';

const input = { sourceId: blog };
const facts = { org: liveOrg };
const past = [sourceCreated({ packages: [{ ecosystem: 'npm', name: 'kit' }] }), sourceDeleted];
const notFound = ['not_found', { entity: 'source' }] as const;

describe('restore a source', () => {
  test('a deleted one comes back and wishes for its slug and packages', () => {
    given(restoreSource, past)
      .when(input, { facts })
      .then([{ type: 'SourceRestored.v1', data: { restoredAt: testNow } }]);
    expect(wishesOf(restoreSource, past, input, facts)).toEqual({
      slug: `slug: slug-source/${acme}:blog`,
      'package:npm:kit': 'package: package-npm:kit',
    });
  });

  test('a living one stays as it is', () => {
    given(restoreSource, [sourceCreated()]).when(input, { facts }).thenNothing();
  });

  test('the thirty days are whole ones', () => {
    given(restoreSource, past).when(input, { facts, now: lastRestorable }).thenTypes('SourceRestored.v1');
    given(restoreSource, past)
      .when(input, { facts, now: firstExpired })
      .thenFails(...notFound);
  });

  test('one that stands alone needs no org', () => {
    given(restoreSource, [sourceCreated({ orgId: null }), sourceDeleted])
      .when(input)
      .thenTypes('SourceRestored.v1');
  });

  test('it is not found when absent, or when its org is deleted', () => {
    given(restoreSource)
      .when(input)
      .thenFails(...notFound);
    given(restoreSource, past)
      .when(input, { facts: { org: deletedOrg } })
      .thenFails(...notFound);
  });
});
