import { expect, it } from 'vitest';
import { type SourceDocument, sourceProjection } from '../../../projections/source/source.ts';
import { placeUpTo } from '../../../src/catalogue/instants/newest-of-source.ts';
import { noPieces } from '../../../src/catalogue/instants/release-pieces.ts';
import { instantsWith, noInstants, type SourceInstants } from '../../../src/catalogue/instants/source-instants.ts';
import { createLargeGroups } from '../../../src/catalogue/lists/large-groups.ts';
import type { SourceGroup } from '../../../src/catalogue/lists/public-sources.ts';
import { categories, type Category, type Kind, kinds, sourceTypes } from '../../../src/domain/enumerations.ts';
import { feedRunsOf, runCodeOf } from '../../../src/domain/release/feed/feed-runs.ts';
import { sourceCreated } from '../../spec/events/entity-events.ts';
import { createRecorder } from '../../spec/events/record-events.ts';
import { foldProjection } from '../../spec/fold-projection.ts';
import { createSeeded } from '../../spec/seeded.ts';
import { seedsToRun } from '../../spec/seeds.ts';

const dayMs = 86_400_000;
const stable = 0;
const sourcesMin = 5;
const orgIds = ['org_a', 'org_b', null];
const kindsOrNone = [...kinds.slice(0, 2), null];
const categoriesOrNone = [...categories.slice(0, 2), null];
const sourceIds = Array.from({ length: 14 }, (_, number) => `src_${number}`);
const wanted = { runs: feedRunsOf(['stable'], null), from: placeUpTo(Number.POSITIVE_INFINITY) };

const recorder = createRecorder();
recorder.record('source-src_any', [sourceCreated({ orgId: null, slug: 'any', name: 'any' })]);
const anySource = foldProjection(sourceProjection, recorder.all()).get('src_any')!;

const releasedOn = (day: number): SourceInstants =>
  instantsWith([{ numbers: [day * dayMs, day * dayMs, runCodeOf(stable, null), day, 0], versions: [] }], noPieces);

it.each(seedsToRun(5))('the sources of an org are listed while it has many, as they are (seed %i)', (seed) => {
  const { int, chance, pick } = createSeeded(seed);
  const sources = new Map<string, SourceDocument>();
  const instants = new Map<string, SourceInstants>();
  const takenOver = new Map<string, Category | null>();
  const ofOrg = (orgId: string) => [...sources.values()].filter((source) => source.orgId === orgId);
  const lists = createLargeGroups({
    source: (id) => sources.get(id),
    groupOf: ({ orgId }) => orgId,
    sourcesOf: ofOrg,
    kindOf: ({ kind }) => kind,
    categoryOf: ({ id }) => takenOver.get(id) ?? null,
    instantsOf: (id) => instants.get(id) ?? noInstants,
    sourcesMin,
  });

  for (let step = 0; step < 300; step += 1) {
    const id = pick(sourceIds);
    const before = sources.get(id);
    if (chance(15)) sources.delete(id);
    else {
      const changed = { orgId: pick(orgIds), type: pick(sourceTypes), kind: pick(kindsOrNone), hidden: chance(20) };
      sources.set(id, { ...(before ?? anySource), id, ...(before === undefined || chance(50) ? changed : {}) });
    }
    if (chance(50)) instants.set(id, chance(20) ? noInstants : releasedOn(int(1, 1_000)));
    if (chance(50)) takenOver.set(id, pick(categoriesOrNone));
    lists.place(id, before?.orgId ?? null, sources.get(id)?.orgId ?? null);

    const type = pick(sourceTypes);
    const kind = pick(kindsOrNone);
    const category = pick(categoriesOrNone);
    const isWanted = (source: Pick<SourceDocument, 'type' | 'kind'>) =>
      source.type !== type && (kind === null || source.kind === kind);
    for (const orgId of ['org_a', 'org_b']) {
      const large = lists.of(orgId);
      expect(large === undefined, `${orgId} after ${step}`).toBe(ofOrg(orgId).length < sourcesMin);
      if (large === undefined) continue;
      const seen = ofOrg(orgId).filter((source) => !source.hidden && isWanted(source));
      const expected = seen
        .flatMap((source) => (instants.get(source.id) ?? noInstants).published.map((ms) => ({ id: source.id, ms })))
        .sort((a, b) => b.ms - a.ms);
      const isWantedGroup = (group: SourceGroup<Kind>) => isWanted({ type: group.type, kind: group.topic });
      const found = large.those(isWantedGroup);
      const newestFirst = Array.from(found.newestFirst(wanted), ({ publishedMs }) => publishedMs);
      expect(newestFirst).toEqual(expected.map(({ ms }) => ms));
      expect(found.count).toBe(expected.length);
      const ids = large.idsOf(
        `${type} ${kind} ${category}`,
        (source) => isWanted(source) && source.category === category,
      );
      const ofCategory = seen.filter((source) => (takenOver.get(source.id) ?? null) === category);
      expect(ids).toEqual(new Set(ofCategory.map((source) => source.id)));
    }
  }
});
