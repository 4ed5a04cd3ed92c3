import { describe, expect, test } from 'vitest';
import { purgeSource } from '../../../commands/source/purge-source.ts';
import { restoreSource } from '../../../commands/source/restore-source.ts';
import { source } from '../../../src/domain/source/state.ts';
import {
  acme,
  blog,
  deletedOrg,
  firstExpired,
  hiddenOrg,
  lastRestorable,
  liveOrg,
  sourceCreated,
  sourceDeleted,
  sourcePurged,
  purgedOrg,
} from '../../spec/events/entity-events.ts';
import { given, stateAfter, testNow } from '../../spec/given-when-then.ts';
import { wishesOf } from '../wishes-of.ts';

const asked = { sourceId: blog, isAsked: true };
const due = { sourceId: blog, isAsked: false };
const facts = { org: liveOrg };

describe('purge a source', () => {
  test('that somebody asks for: one event that names its org, and no name kept', () => {
    given(purgeSource, [sourceCreated()])
      .when(asked, { facts })
      .then([{ type: 'SourcePurged.v1', data: { orgId: acme, purgedAt: testNow } }]);
    given(purgeSource, [sourceCreated()])
      .when(asked, { facts: { org: hiddenOrg } })
      .thenTypes('SourcePurged.v1');
    expect(wishesOf(purgeSource, [sourceCreated()], asked, facts)).toEqual({});
  });

  test('an absent, deleted or purged one is not found, nor one of a deleted org', () => {
    const failure = ['not_found', { entity: 'source' }] as const;
    for (const past of [[], [sourceCreated(), sourceDeleted], [sourceCreated(), sourcePurged]]) {
      given(purgeSource, past)
        .when(asked, { facts })
        .thenFails(...failure);
    }
    given(purgeSource, [sourceCreated()])
      .when(asked, { facts: { org: deletedOrg } })
      .thenFails(...failure);
  });

  test('nobody asks for: when it cannot be restored any more, or its org is purged', () => {
    const deleted = [sourceCreated(), sourceDeleted];
    given(purgeSource, deleted).when(due, { facts, now: lastRestorable }).then([]);
    given(purgeSource, deleted).when(due, { facts, now: firstExpired }).thenTypes('SourcePurged.v1');
    given(purgeSource, [sourceCreated()])
      .when(due, { facts: { org: purgedOrg } })
      .thenTypes('SourcePurged.v1');
    for (const org of [liveOrg, deletedOrg]) {
      given(purgeSource, [sourceCreated()]).when(due, { facts: { org }, now: firstExpired }).then([]);
    }
    given(purgeSource, [...deleted, sourcePurged])
      .when(due, { facts, now: firstExpired })
      .then([]);
    given(purgeSource).when(due, { now: firstExpired }).then([]);
  });

  test('is for good: it cannot be restored, and its state says nothing of it', () => {
    const past = [sourceCreated({ name: 'Secret' }), sourcePurged];
    given(restoreSource, past).when({ sourceId: blog }, { facts }).thenFails('not_found', { entity: 'source' });
    expect(stateAfter(source, past)).toEqual(stateAfter(source, [sourcePurged]));
    expect(JSON.stringify(stateAfter(source, past))).not.toContain('Secret');
  });
});
