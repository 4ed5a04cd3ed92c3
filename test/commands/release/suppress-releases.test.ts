import { describe, expect, it } from 'vitest';
import { suppressReleases } from '../../../commands/release/suppress-releases.ts';
import type { ReleaseEvent } from '../../../src/domain/release/events.ts';
import { givenBatch } from '../../spec/given-batch.ts';
import { testNow } from '../../spec/given-when-then.ts';
import { indexedRelease, releaseId } from '../../spec/events/indexed-release.ts';
import { revised, suppressed, unsuppressed } from '../../spec/events/release-events.ts';
import { releaseErased, sourceId } from '../../spec/worlds/release-world.ts';

const publishedAt = '2026-02-01T00:00:00.000Z';
const past = indexedRelease({ publishedAt });

const suppress = (events: readonly ReleaseEvent[], reason?: string) =>
  givenBatch(suppressReleases, { [`release-${releaseId}`]: events })
    .when({ releaseIds: [releaseId], reason }, { facts: {} })
    .decided();

describe('SuppressReleases', () => {
  it('takes a release down, and says where it is found', () => {
    const { events, results } = suppress([past], 'Spam');
    const data = { sourceId, publishedAt, reason: 'Spam', suppressedAt: testNow };
    expect(events).toEqual([{ type: 'ReleaseSuppressed.v1', data }]);
    expect(results).toEqual([{ id: releaseId, suppressed: true, reason: 'Spam' }]);
    const april = '2026-04-01T00:00:00.000Z';
    const moved = revised(sourceId, { publishedAt: april }, { derived: past.data.derived });
    expect(suppress([past, moved]).events[0]?.data).toMatchObject({ publishedAt: april, reason: null });
  });

  it('has nothing to do for one that is down already, unless it is told another reason', () => {
    const down = [past, suppressed(sourceId, publishedAt, 'Spam')];
    for (const reason of [undefined, 'Spam']) {
      const { events, results } = suppress(down, reason);
      expect([events, results]).toEqual([[], [{ id: releaseId, suppressed: true, reason: 'Spam' }]]);
    }
    expect(suppress(down, 'Worse').events[0]?.data).toMatchObject({ reason: 'Worse' });
    expect(suppress([...down, unsuppressed(sourceId, publishedAt)]).events).toHaveLength(1);
  });

  it.each([
    ['unknown', []],
    ['erased', [releaseErased]],
  ])('finds none that is %s', (_, events) => {
    const decided = suppress(events);
    expect([decided.events, decided.results]).toEqual([[], [{ id: releaseId, suppressed: false, reason: null }]]);
  });
});
