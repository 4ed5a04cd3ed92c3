import { describe, expect, test } from 'vitest';
import { eraseReleases } from '../../../commands/release/erase-releases.ts';
import type { ReleaseEvent } from '../../../src/domain/release/events.ts';
import { blog, idOf } from '../../spec/events/entity-events.ts';
import { claimed, erased, indexed, linked } from '../../spec/events/release-events.ts';
import { givenBatch } from '../../spec/given-batch.ts';

const [one, two, three, four] = ['A', 'B', 'C', 'D'].map((letter) => idOf('rel', letter)) as [
  string,
  string,
  string,
  string,
];

describe('erase releases', () => {
  test('many at once, without those that are gone or linked to others', () => {
    const past: Record<string, ReleaseEvent[]> = {
      [`release-${one}`]: [indexed(blog)],
      [`release-${two}`]: [indexed(blog), linked(blog, null, idOf('rel', 'Z'))],
      [`release-${three}`]: [indexed(blog), claimed(two)],
      [`release-${four}`]: [indexed(blog), erased(blog)],
    };
    const releaseIds = [one, two, three, four, idOf('rel', 'E'), one];
    const { results, eventsByStream } = givenBatch(eraseReleases, past).when({ releaseIds }, { facts: {} }).decided();
    expect(results.map(({ result }) => result)).toEqual(['erased', 'linked', 'linked', 'unchanged', 'unchanged']);
    const streams = [...eventsByStream].filter(([, events]) => events.length > 0);
    expect(streams).toHaveLength(1);
    expect(streams[0]).toMatchObject([`release-${one}`, [{ type: 'ReleaseErased.v1', data: { sourceId: blog } }]]);
  });
});
