import { describe, expect, it } from 'vitest';
import { eraseRelease } from '../../../commands/release/erase-release.ts';
import type { ReleaseEvent } from '../../../src/domain/release/events.ts';
import { given, stateAfter } from '../../spec/given-when-then.ts';
import { claimed, forfeited, linked } from '../../spec/events/release-events.ts';
import { indexedRelease, releaseId } from '../../spec/events/indexed-release.ts';
import { orgId, releaseErased, sourceId } from '../../spec/worlds/release-world.ts';

const bodyRef = (letter: string) => ({ sha256: letter.repeat(64), chars: 300_000, parts: 2 });

describe('EraseRelease', () => {
  it('names what must go and holds none of its text', () => {
    const past = indexedRelease({ publishedAt: '2026-02-01T00:00:00.000Z', summary: 'Secret' });
    const events = given(eraseRelease, [past]).when({ releaseId }, { id: releaseId }).events();
    expect(events).toEqual([
      {
        type: 'ReleaseErased.v1',
        data: {
          sourceId,
          orgId,
          identityKind: 'version',
          publishedDates: ['2026-02-01T00:00:00.000Z'],
          bodyStreams: [],
        },
      },
    ]);
  });

  it('names every date that the release ever had', () => {
    const march = '2026-03-01T00:00:00.000Z';
    const indexed = indexedRelease({ publishedAt: march });
    const revisedTo = (publishedAt: string | null): ReleaseEvent => ({
      type: 'ReleaseRevised.v1',
      data: {
        sourceId,
        orgId,
        revision: 2,
        given: { publishedAt },
        derived: { ...indexed.data.derived, publishedAt },
        pending: false,
        previousPublishedAt: null,
      },
    });
    const past = [indexed, revisedTo('2026-04-01T00:00:00.000Z'), revisedTo(null), revisedTo(march)];
    const [event] = given(eraseRelease, past).when({ releaseId }, { id: releaseId }).events();
    expect(event?.data).toMatchObject({ publishedDates: [march, '2026-04-01T00:00:00.000Z', null] });
  });

  it('names every body that the release ever had', () => {
    const indexed = indexedRelease({ content: bodyRef('a') });
    const revised: ReleaseEvent = {
      type: 'ReleaseRevised.v1',
      data: {
        sourceId,
        orgId,
        revision: 2,
        given: { content: bodyRef('b') },
        derived: indexed.data.derived,
        pending: false,
        previousPublishedAt: null,
      },
    };
    const events = given(eraseRelease, [indexed, revised]).when({ releaseId }, { id: releaseId }).events();
    expect(events[0]?.data).toMatchObject({
      bodyStreams: [`body-${releaseId}-${'a'.repeat(64)}`, `body-${releaseId}-${'b'.repeat(64)}`],
    });
  });

  it('is safe to send twice', () => {
    given(eraseRelease, [indexedRelease(), releaseErased]).when({ releaseId }).thenNothing();
    given(eraseRelease, [releaseErased]).when({ releaseId }).thenNothing();
  });

  it('waits for links to it to be ended, and not for its own', () => {
    const other = `rel_${'K'.repeat(21)}`;
    const past = [indexedRelease(), claimed(other)];
    const withOther = (...events: ReleaseEvent[]) => ({
      facts: { [other]: stateAfter(eraseRelease.model, [indexedRelease(), ...events]) },
      id: releaseId,
    });
    const erasing = given(eraseRelease, past);
    erasing.when({ releaseId }, withOther()).thenFails('conflict', { field: 'coverage' });
    erasing.when({ releaseId }, withOther(linked(sourceId, null, releaseId))).thenFails('conflict');
    erasing.when({ releaseId }, withOther(forfeited(releaseId))).thenTypes('ReleaseErased.v1');
    given(eraseRelease, [indexedRelease(), linked(sourceId, null, other)])
      .when({ releaseId }, { id: releaseId })
      .thenTypes('ReleaseErased.v1');
  });

  it('finds nothing to erase where nothing was', () => {
    given(eraseRelease).when({ releaseId }).thenFails('not_found', { entity: 'release' });
  });
});
