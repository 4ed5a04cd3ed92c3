import { expect, it } from 'vitest';
import { overviewsProjection } from '../../projections/overviews/overviews.ts';
import { idOf } from '../spec/events/entity-events.ts';
import { createRecorder } from '../spec/events/record-events.ts';
import { foldProjection } from '../spec/fold-projection.ts';

it('keeps an overview without what only its writer was shown', () => {
  const id = idOf('org', 'A');
  const at = '2026-01-01T00:00:00.000Z';
  const text = { content: 'Rockets.', releaseCount: 1, lastContributingReleaseAt: at, generatedAt: at, citations: [] };
  const data = { ...text, updatedAt: at };
  const recorder = createRecorder();
  const shownReleaseIds = [idOf('rel', 'A')];
  recorder.record(`overview-${id}`, [{ type: 'OverviewWritten.v1', data: { ...data, shownReleaseIds } }]);
  expect(foldProjection(overviewsProjection, recorder.all()).get(id)).toStrictEqual({ id, ...data });
});
