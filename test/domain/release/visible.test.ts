import { describe, expect, it } from 'vitest';
import { org } from '../../../src/domain/org/state.ts';
import { areParentsLive, dueUntilMs, isDue, isReleaseVisible } from '../../../src/domain/release/visible.ts';
import { source } from '../../../src/domain/source/state.ts';
import {
  orgDeleted,
  orgHidden,
  productDeleted,
  productHidden,
  sourceDeleted,
  sourceHidden,
  sourceUnhidden,
} from '../../spec/events/entity-events.ts';
import { parentsAfter, standaloneSource } from '../../spec/worlds/release-world.ts';

const now = '2026-03-01T12:00:00.000Z';

describe('isDue', () => {
  it.each([
    [null, true],
    ['2020-01-01T00:00:00.000Z', true],
    [now, true],
    ['2026-03-01T12:01:00.000Z', true],
    ['2026-03-01T12:01:00.001Z', false],
  ])('of %s is %s', (publishedAt, due) => {
    expect(isDue(publishedAt, now)).toBe(due);
  });
});

it('bounds what is sorted by date at the last moment that is due', () => {
  const bound = dueUntilMs(Date.parse(now));
  expect(isDue(new Date(bound).toISOString(), now)).toBe(true);
  expect(isDue(new Date(bound + 1).toISOString(), now)).toBe(false);
});

describe('areParentsLive', () => {
  it.each([
    ['a hidden source', parentsAfter({ source: [sourceHidden] }), true],
    ['a hidden org', parentsAfter({ org: [orgHidden] }), true],
    ['a deleted source', parentsAfter({ source: [sourceDeleted] }), false],
    ['a deleted org', parentsAfter({ org: [orgDeleted] }), false],
    ['a source that was never created', { source: source.initial }, false],
    ['an org that was never created', { ...parentsAfter(), org: org.initial }, false],
  ])('with %s', (_, parents, live) => {
    expect(areParentsLive(parents)).toBe(live);
  });
});

describe('isReleaseVisible', () => {
  it.each([
    ['parents that show', parentsAfter(), true],
    ['a standalone source', standaloneSource, true],
    ['a hidden source', parentsAfter({ source: [sourceHidden] }), false],
    ['a source that shows again', parentsAfter({ source: [sourceHidden, sourceUnhidden] }), true],
    ['a deleted source', parentsAfter({ source: [sourceDeleted] }), false],
    ['a hidden org', parentsAfter({ org: [orgHidden] }), false],
    ['a deleted org', parentsAfter({ org: [orgDeleted] }), false],
    ['a hidden product', parentsAfter({ product: [productHidden] }), true],
    ['a deleted product', parentsAfter({ product: [productDeleted] }), true],
  ])('with %s', (_, parents, visible) => {
    expect(isReleaseVisible({ publishedAt: now, suppressed: false }, parents, now)).toBe(visible);
  });

  it('waits for the date', () => {
    const ahead = { publishedAt: '2026-03-02T00:00:00.000Z', suppressed: false };
    expect(isReleaseVisible(ahead, parentsAfter(), now)).toBe(false);
  });

  it('ends with a suppression', () => {
    expect(isReleaseVisible({ publishedAt: now, suppressed: true }, parentsAfter(), now)).toBe(false);
  });
});
