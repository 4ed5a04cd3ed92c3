import { expect, it } from 'vitest';
import type { Instant, InstantsDocument } from '../../../projections/instants/instants-document.ts';
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

const inMonth = (month: number, chunk: string, day: number): InstantsDocument => {
  const name = `2026-0${month}`;
  return { id: `s:${name}:${chunk}`, sourceId: 's', month: name, releases: [release(Date.UTC(2026, month - 1, day))] };
};

it('has the same of what was loaded at once as of what came one by one, whatever the order, and whoever looks between', () => {
  const docs = [inMonth(2, 'b', 7), inMonth(1, 'a', 5), inMonth(2, 'a', 9), undated, inMonth(1, 'c', 3)];
  const again = inMonth(2, 'b', 8); // as it is told a second time, when it is written while all are read
  const oneByOne = createInstantsBySource();
  for (const doc of [...docs, again]) oneByOne.apply(doc);
  const expected = oneByOne.instantsOf('s');
  expect(expected.published).toEqual([3, 5, 39, 40].map((day) => Date.UTC(2026, 0, day)));

  const atOnce = createInstantsBySource();
  for (const doc of [...docs, again]) atOnce.applyLoaded(doc);
  expect(atOnce.instantsOf('s')).toEqual(expected);

  const looked = createInstantsBySource();
  for (const doc of [...docs, again]) {
    looked.applyLoaded(doc);
    looked.instantsOf('s');
  }
  expect(looked.instantsOf('s')).toEqual(expected);

  const changed = createInstantsBySource();
  for (const doc of [...docs, again]) changed.applyLoaded(doc);
  changed.remove(undated.id);
  changed.apply(undated);
  expect(changed.instantsOf('s')).toEqual(expected);
});
