import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { expect, it } from 'vitest';
import type { OrgDocument } from '../../../projections/org/org.ts';
import { catalogueReads } from '../../../src/catalogue/catalogue.ts';
import { instantsOfSources } from '../../../src/catalogue/entity-numbers.ts';
import { compareFeedPlaces, newestOfSource, placeUpTo } from '../../../src/catalogue/instants/newest-of-source.ts';
import type { FoundOrgs } from '../../../src/catalogue/lists/org-search.ts';
import { newestPublishedMs, recentReleaseCount, releaseCount, sparkline } from '../../../src/catalogue/numbers.ts';
import { isOrgVisible, isSourceVisible, sightOn, visibleSourcesOf } from '../../../src/catalogue/visibility.ts';
import { type Category, type SourceType, sourceTypes } from '../../../src/domain/enumerations.ts';
import { feedRunsOf } from '../../../src/domain/release/feed/feed-runs.ts';
import { lanesOf } from '../../../src/domain/release/feed/lane.ts';
import { dueUntilMs } from '../../../src/domain/release/visible.ts';
import { byName } from '../../../src/domain/name-key.ts';
import { erased, linked, revised, suppressed, unlinked, unsuppressed } from '../../spec/events/release-events.ts';
import {
  openSampleRegistry,
  orgIdOf,
  orgStream,
  releaseIdOf,
  releaseStream,
  type SampleRegistry,
  sourceIdOf,
  sourceStream,
} from '../../spec/worlds/sample-registry.ts';

const startMs = Date.parse('2026-03-15T12:00:00.000Z');
const hourMs = 3_600_000;
const categories: readonly (Category | null)[] = [null, 'ai', 'crm'];
const names = ['Alpha', 'beta', 'Gamma x', 'alp', 'Ba', 'be-ta'];

interface Chance {
  readonly upTo: (max: number) => number;
  readonly pick: <T>(list: readonly T[]) => T;
}

const chanceOf = (seed: number): Chance => {
  const random = xoroshiro128plus(seed);
  const upTo = (max: number): number => uniformInt(random, 0, max);
  return { upTo, pick: (list) => list[upTo(list.length - 1)]! };
};

/** One change after the other, of every kind that a list depends on. */
const createChanges = (registry: SampleRegistry, { upTo, pick }: Chance) => {
  const orgs: string[] = [];
  const sources: string[] = [];
  const releases = new Map<string, { readonly source: string; readonly publishedAt: string | null }>();
  let made = 0;
  const nextName = (letter: string) => `${letter}${(made += 1)}`;
  const randomDate = () => (upTo(9) === 0 ? null : new Date(startMs + (upTo(200) - 100) * hourMs).toISOString());
  const randomGiven = (publishedAt: string | null) => ({
    ...(publishedAt !== null && { publishedAt }),
    ...(upTo(3) === 0 && { prerelease: true }),
    ...(upTo(2) > 0 && { importance: 1 + upTo(4) }),
  });
  const turn = () => pick(['Hidden', 'Unhidden', 'Deleted', 'Restored'] as const);

  const fill = async (orgCount: number) => {
    const events = Array.from({ length: orgCount }, () => {
      const [org, source, release] = [nextName('o'), nextName('s'), nextName('r')];
      const publishedAt = randomDate();
      orgs.push(org);
      sources.push(source);
      releases.set(release, { source, publishedAt });
      const fields = { name: `${pick(names)} ${org}`, category: pick(categories) };
      return [
        orgStream(org, fields),
        sourceStream(source, org),
        releaseStream(release, { source, org }, randomGiven(publishedAt)),
      ];
    });
    await registry.recordMany(events.flat());
  };

  const changes = [
    async () => {
      const name = nextName('o');
      orgs.push(name);
      await registry.addOrg(name, { name: pick(names), category: pick(categories) });
    },
    () => registry.org(pick(orgs), { name: `${pick(names)} ${nextName('n')}` }),
    () => registry.org(pick(orgs), { category: pick(categories) }),
    () => registry.org(pick(orgs), { featured: upTo(1) === 0 }),
    () => registry.org(pick(orgs), turn()),
    () => registry.org(pick(orgs), turn()),
    () => registry.source(pick(sources), turn()),
    () => registry.source(pick(sources), { type: pick(sourceTypes) }),
    async () => {
      const name = nextName('s');
      sources.push(name);
      await registry.addSource(name, upTo(5) === 0 ? null : pick(orgs), { type: pick(sourceTypes) });
    },
    async () => {
      const [name, source, publishedAt] = [nextName('r'), pick(sources), randomDate()];
      releases.set(name, { source, publishedAt });
      await registry.addRelease(name, source, randomGiven(publishedAt));
    },
    async () => {
      if (releases.size === 0) return;
      const name = pick([...releases.keys()]);
      const { source, publishedAt: previousPublishedAt } = releases.get(name)!;
      const publishedAt = randomDate();
      releases.set(name, { source, publishedAt });
      const changed = { publishedAt, ...(upTo(1) === 0 && { importance: upTo(5) || null }) };
      const event = revised(sourceIdOf(source), changed, { previousPublishedAt });
      await registry.record(`release-${releaseIdOf(name)}`, [event]);
    },
    async () => {
      if (releases.size === 0) return;
      const name = pick([...releases.keys()]);
      const { source, publishedAt } = releases.get(name)!;
      const decide = pick([
        suppressed,
        unsuppressed,
        (id: string, date: string | null) => linked(id, date, releaseIdOf('canonical')),
        (id: string, date: string | null) => unlinked(id, date, releaseIdOf('canonical')),
      ]);
      await registry.record(`release-${releaseIdOf(name)}`, [decide(sourceIdOf(source), publishedAt)]);
    },
    async () => {
      if (releases.size === 0) return;
      const name = pick([...releases.keys()]);
      const { source, publishedAt } = releases.get(name)!;
      releases.delete(name);
      const event = erased(sourceIdOf(source), { publishedDates: [publishedAt] });
      await registry.record(`release-${releaseIdOf(name)}`, [event]);
    },
  ];
  return { fill, change: () => pick(changes)(), orgs, sources };
};

interface Made {
  readonly orgs: readonly string[];
  readonly sources: readonly string[];
}

/** Everything counted again from the documents. */
const expectLists = ({ catalogue }: SampleRegistry, made: Made, nowMs: number, chance: Chance) => {
  const idsOf = (orgs: readonly OrgDocument[]) => orgs.map(({ id }) => id);
  const every = made.orgs.map((name) => catalogue.org(orgIdOf(name))!).sort(byName);
  const hasReleases = ({ id }: OrgDocument) => {
    const sources = visibleSourcesOf(catalogue, id, sightOn(true, id));
    return releaseCount(instantsOfSources(catalogue, sources), nowMs) > 0;
  };
  const isPublic = (org: OrgDocument) => isOrgVisible(org);

  expect(catalogue.orgs()).toEqual(every);
  for (const category of categories) {
    const all = every.filter((org) => isPublic(org) && (category === null || org.category === category));
    const lists = catalogue.publicOrgs(category, nowMs);
    expect(idsOf(lists.all)).toEqual(idsOf(all));
    expect(idsOf(lists.withReleases)).toEqual(idsOf(all.filter(hasReleases)));
    const featured = catalogue.featuredOrgs(category, nowMs);
    expect(idsOf(featured.all)).toEqual(idsOf(all.filter((org) => org.featured)));
    expect(idsOf(featured.withReleases)).toEqual(idsOf(all.filter((org) => org.featured && hasReleases(org))));
  }
  const live = every.filter(({ deletedAt }) => deletedAt === null);
  expect(live.filter(({ id }) => catalogue.hasReleases(id, nowMs))).toEqual(live.filter(hasReleases));
  for (const { id } of live) {
    const sources = visibleSourcesOf(catalogue, id, sightOn(true, id));
    const ofEach = instantsOfSources(catalogue, sources);
    const { sourceCount, instants } = catalogue.instantsOfOrg(id);
    expect(sourceCount).toBe(sources.length);
    for (const number of [releaseCount, recentReleaseCount, newestPublishedMs, sparkline]) {
      expect(number(instants, nowMs)).toEqual(number(ofEach, nowMs));
    }
  }
  // Parts that are in many names, in few, and in one that may have been another before.
  const some = chance.pick(every);
  const q = chance.pick([
    'al',
    'a',
    '1',
    'o1',
    'x\no',
    'nothing',
    'gamma x',
    some.nameKey.slice(1),
    some.slug,
    'ha o3',
  ]);
  const matches = ({ nameKey, slug }: OrgDocument) => nameKey.includes(q) || slug.includes(q);
  const taken = (found: FoundOrgs) => idsOf(found.slice(0, found.length));
  expect(taken(catalogue.orgsMatching(q)), q).toEqual(idsOf(every.filter(matches)));
  const { withReleases, pieces } = catalogue.publicOrgs(null, nowMs);
  const found = catalogue.orgsMatching(q, pieces.withReleases);
  const expected = idsOf(withReleases.filter(matches));
  expect(taken(found), q).toEqual(expected);
  expect(idsOf(found.slice(1, 3)), q).toEqual(expected.slice(1, 3));

  const sinceMs = nowMs - chance.upTo(100) * hourMs;
  const publicSources = made.sources
    .map((name) => catalogue.source(sourceIdOf(name))!)
    .filter((source) => isSourceVisible(catalogue, source));
  const counted = publicSources.sort(byName).map(({ id }) => {
    const due = catalogue.instantsOf(id).published.filter((ms) => ms <= dueUntilMs(nowMs));
    const total = due.length + catalogue.instantsOf(id).undatedCount;
    return [id, total, due.filter((ms) => ms >= sinceMs).length];
  });
  const countedPieces = catalogue.releaseCounts().pieces({ sinceMs, nowMs });
  const counts = countedPieces.flatMap(({ sources, totals, placesByRecent }) => {
    const recents = [...placesByRecent].flatMap(([recent, places]) => places.map((place) => [place, recent] as const));
    const recentOf = new Map(recents);
    return sources.map(({ id }, place) => [id, totals[place], recentOf.get(place)]);
  });
  expect(counts, 'counts').toEqual(counted);
  const sumOf = (column: 1 | 2) => counted.reduce((sum, row) => sum + Number(row[column]), 0);
  expect(countedPieces.reduce((sum, { releases }) => sum + releases, 0)).toBe(sumOf(1));
  expect(countedPieces.reduce((sum, { recentReleases }) => sum + recentReleases, 0)).toBe(sumOf(2));

  const exclude: SourceType[] = sourceTypes.filter(() => chance.upTo(2) === 0);
  const untilMs = chance.pick([nowMs, nowMs - 50 * hourMs, null, Number.POSITIVE_INFINITY]);
  const wanted = publicSources.filter(({ type }) => !exclude.includes(type));
  const lanes = lanesOf({ includePrereleases: chance.upTo(1) === 0, includeCoverage: chance.upTo(1) === 0 });
  const releases = { runs: feedRunsOf(lanes, chance.pick([null, null, 1, 3, 5])), from: placeUpTo(untilMs) };
  const newest = wanted.flatMap(({ id }) => newestOfSource(id, catalogue.instantsOf(id), releases) ?? []);
  const opened = [...catalogue.publicSources(exclude).newestFirst(releases)];
  expect(opened.toSorted(compareFeedPlaces), 'newest first').toEqual(opened);
  const ofSource = (list: typeof opened) => new Map(list.map((each) => [each.sourceId, each]));
  expect(ofSource(opened)).toEqual(ofSource(newest));
  expect(opened).toHaveLength(newest.length);
};

it.each([1, 2, 3, 4])('lists that follow are those that are made anew, at any moment (seed %i)', async (seed) => {
  const chance = chanceOf(seed);
  const registry = await openSampleRegistry(catalogueReads);
  const { fill, change, ...made } = createChanges(registry, chance);
  await fill(60); // so that a change is a small part of a list
  let nowMs = startMs;
  for (let step = 0; step < 200; step += 1) {
    await change();
    if (chance.upTo(3) > 0) continue;
    await registry.catalogue.refresh();
    nowMs += (chance.upTo(20) - 7) * hourMs;
    expectLists(registry, made, nowMs, chance);
  }
  await registry.close();
});
