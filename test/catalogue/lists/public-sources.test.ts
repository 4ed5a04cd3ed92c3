import { expect, it } from 'vitest';
import { createPublicSources } from '../../../src/catalogue/lists/public-sources.ts';
import { placeUpTo } from '../../../src/catalogue/instants/newest-of-source.ts';
import { noPieces } from '../../../src/catalogue/instants/release-pieces.ts';
import { instantsWith } from '../../../src/catalogue/instants/source-instants.ts';
import { feedRunsOf, runCodeOf } from '../../../src/domain/release/feed/feed-runs.ts';
import { foldProjection } from '../../spec/fold-projection.ts';
import { createRecorder } from '../../spec/events/record-events.ts';
import { sourceCreated } from '../../spec/events/entity-events.ts';
import { sourceProjection } from '../../../projections/source/source.ts';

const sourceCount = 2_000;
const dayMs = 86_400_000;
const firstMs = Date.UTC(2020, 0, 1);
const stable = 0;

/** Each has one release on a day of its own, and one on the last day; that one of the first source is important. */
const openSources = () => {
  const recorder = createRecorder();
  for (let number = 0; number < sourceCount; number += 1) {
    recorder.record(`source-src_${number}`, [sourceCreated({ orgId: null, slug: `s${number}`, name: 's' })]);
  }
  const documents = foldProjection(sourceProjection, recorder.all());
  const lastMs = firstMs + sourceCount * dayMs;
  let looked = 0;
  const sources = createPublicSources({
    source: (id) => documents.get(id),
    isPublic: () => true,
    topicOf: () => null,
    instantsOf: (id) => {
      looked += 1;
      const number = Number(id.slice('src_'.length));
      const ownMs = firstMs + number * dayMs;
      const own = [ownMs, ownMs, runCodeOf(stable, number === 0 ? 5 : 1), 0, 0];
      const last = [lastMs, lastMs, runCodeOf(stable, 1), 0, 0];
      return instantsWith([{ numbers: [...own, ...last], versions: [] }], noPieces);
    },
  });
  for (const id of documents.keys()) sources.place(id);
  looked = 0;
  return { sources, looked: () => looked };
};

it.each([
  ['up to an old moment', 1, firstMs + 100.5 * dayMs, ['src_100', 'src_99', 'src_98']],
  ['of a rare importance', 5, Number.POSITIVE_INFINITY, ['src_0']],
  ['of nothing at all', 2, firstMs - dayMs, []],
])('the newest of many sources are found without a look at the others: %s', (_, minImportance, untilMs, ids) => {
  const { sources, looked } = openSources();
  const found: string[] = [];
  const wanted = { runs: feedRunsOf(['stable'], minImportance), from: placeUpTo(untilMs) };
  for (const { sourceId } of sources.those(() => true).newestFirst(wanted)) {
    found.push(sourceId);
    if (found.length === 3) break;
  }
  expect(found).toEqual(ids);
  expect(looked()).toBe(ids.length);
});
