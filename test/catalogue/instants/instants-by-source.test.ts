import { expect, it } from 'vitest';
import type { Instant } from '../../../projections/instants/instants-document.ts';
import { createInstantsBySource } from '../../../src/catalogue/instants/instants-by-source.ts';
import { noInstants } from '../../../src/catalogue/instants/source-instants.ts';

const release = (publishedMs: number | null): Instant => ['rel_a', publishedMs, 0, 5, 0, null, null];
const dated = { id: 's:2026-01:a', sourceId: 's', month: '2026-01', releases: [release(Date.UTC(2026, 0, 5))] };
const undated = { id: 's:-:aa', sourceId: 's', month: '-', releases: [release(null)] };

it('keeps nothing of a month that is empty, nor of a source whose last release is gone', () => {
  const bySource = createInstantsBySource();
  bySource.apply(dated);
  bySource.apply(undated);
  expect(bySource.instantsOf('s')).toMatchObject({ published: [Date.UTC(2026, 0, 5)], undatedCount: 1 });
  bySource.remove(undated.id);
  expect(bySource.instantsOf('s').published).toHaveLength(1);
  expect(bySource.instantsOf('s').undated, 'the undated of a source that never had any').toBe(noInstants.undated);
  bySource.remove(dated.id);
  expect(bySource.instantsOf('s'), 'what a source has that never was').toBe(noInstants);
  bySource.remove(dated.id);
  expect(bySource.instantsOf('s')).toBe(noInstants);
  bySource.apply(dated);
  expect(bySource.instantsOf('s').published).toHaveLength(1);
});
