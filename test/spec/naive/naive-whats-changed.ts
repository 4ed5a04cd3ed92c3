import { parseVersion, versionName } from '../../../src/kernel/version/versions.ts';
import type { NaiveRelease, NaiveSource } from './naive-registry.ts';
import { compareVersions } from './naive-versions.ts';
import {
  isPrerelease,
  type NaiveView,
  naiveWebUrl,
  orgOf,
  publishedAtOf,
  publishedMsOf,
  releasesOf,
} from './naive-view.ts';

export interface NaiveUpgrade {
  readonly package: string;
  readonly from: string;
  readonly to: string;
  readonly ecosystem: 'npm' | 'pypi' | 'github' | null;
}

/** The order in which histories name repositories: of several sources of one, the oldest is meant. */
const oldestFirst = (sources: readonly NaiveSource[]): NaiveSource[] =>
  [...sources].sort((a, b) => (`${a.createdAt} ${a.id}` < `${b.createdAt} ${b.id}` ? -1 : 1));

const resolve = ({ sources }: NaiveView, { package: name, ecosystem }: NaiveUpgrade) => {
  const byId = sources.find(({ id }) => id === name);
  if (byId) return { source: byId, resolvedVia: 'id' };
  const lower = name.toLowerCase();
  const wanted = ecosystem === 'pypi' ? lower.replace(/[-_.]+/g, '-') : lower;
  const byPackage = sources.find(({ packages }) =>
    packages.some((each) => each.ecosystem === ecosystem && each.name === wanted),
  );
  if (byPackage) return { source: byPackage, resolvedVia: 'package' };
  const bySlug = sources.filter(({ slug }) => slug === name);
  if (bySlug.length > 1) return { refused: 'ambiguous_slug' };
  if (bySlug[0]) return { source: bySlug[0], resolvedVia: 'slug' };
  if (!/^[\w.-]+\/[\w.-]+$/.test(name)) return { reason: 'untracked' };
  if (ecosystem !== 'github') return { reason: 'ecosystem_required' };
  const [byUrl] = oldestFirst(sources.filter(({ url }) => url.toLowerCase() === `https://github.com/${lower}`));
  return byUrl ? { source: byUrl, resolvedVia: 'coordinate' } : { reason: 'untracked' };
};

const versionOf = ({ given }: NaiveRelease): string => given.version ?? '';
const dateKey = (release: NaiveRelease): number => publishedMsOf(release) ?? Number.NEGATIVE_INFINITY;

const compareIds = (a: NaiveRelease, b: NaiveRelease): number => (a.id < b.id ? -1 : 1);

const byVersion = (a: NaiveRelease, b: NaiveRelease): number =>
  compareVersions(versionOf(a), versionOf(b)) || Math.sign(dateKey(a) - dateKey(b)) || compareIds(a, b);

const byDate = (a: NaiveRelease, b: NaiveRelease): number =>
  Math.sign(dateKey(a) - dateKey(b)) ||
  Math.sign(Date.parse(a.fetchedAt) - Date.parse(b.fetchedAt)) ||
  compareIds(a, b);

const rangeOf = (releases: readonly NaiveRelease[], { from, to }: NaiveUpgrade) => {
  if (parseVersion(from) !== null && parseVersion(to) !== null) {
    const isWithin = (release: NaiveRelease) =>
      (compareVersions(from, versionOf(release)) ?? 0) < 0 && (compareVersions(versionOf(release), to) ?? 1) <= 0;
    return { rangeBasis: 'version', found: releases.filter(isWithin).sort(byVersion) };
  }
  const dateOf = (version: string) => {
    const newest = releases
      .filter((release) => versionOf(release) === version)
      .sort(byDate)
      .at(-1);
    return newest && publishedMsOf(newest);
  };
  const [fromMs, toMs] = [dateOf(from), dateOf(to)];
  if (fromMs == null || toMs == null) return { rangeBasis: 'none', found: [] };
  const isWithin = (release: NaiveRelease) => dateKey(release) > fromMs && dateKey(release) <= toMs;
  return { rangeBasis: 'date', found: releases.filter(isWithin).sort(byDate) };
};

/** Contract 9, of few short releases: none is ever too much. */
export const naiveWhatsChanged = (view: NaiveView, asked: NaiveUpgrade) => {
  const resolved = resolve(view, asked);
  if ('refused' in resolved) return resolved;
  if (!('source' in resolved)) {
    const nothing = { source: null, count: 0, entries: [], truncated: false, breaking: 'unknown', rangeBasis: 'none' };
    return { answer: { ...asked, status: 'unknown', ...nothing, resolvedVia: null, ...resolved } };
  }
  const { source, resolvedVia } = resolved;
  const releases = releasesOf(view, [source]);
  const name = asked.package.toLowerCase();
  const isNamed = releases.some((release) => versionName(versionOf(release)) === name);
  const meant = releases.filter((release) => !isNamed || ['', name].includes(versionName(versionOf(release))));
  const { rangeBasis, found } = rangeOf(meant, asked);
  const entries = found.map((release) => {
    const { given, derived } = release;
    return {
      id: release.id,
      version: given.version ?? null,
      publishedAt: publishedAtOf(release),
      title: given.title,
      summary: given.summary ?? derived.summary,
      breaking: given.breaking ?? derived.breaking,
      migrationNotes: given.migrationNotes ?? derived.migrationNotes,
      importance: given.importance ?? derived.importance,
      prerelease: isPrerelease(release),
      url: given.url ?? null,
      webUrl: naiveWebUrl(release),
    };
  });
  const verdicts = entries.map(({ breaking }) => breaking);
  const strongest = (['major', 'minor', 'unknown', 'none'] as const).find((verdict) => verdicts.includes(verdict));
  const breaking = rangeBasis === 'none' ? 'unknown' : (strongest ?? 'none');
  const shownSource = { sourceId: source.id, sourceSlug: source.slug, orgSlug: orgOf(view, source)?.slug ?? null };
  const resolvedAnswer = { ...asked, status: 'resolved', source: shownSource, count: entries.length, entries };
  return { answer: { ...resolvedAnswer, truncated: false, breaking, rangeBasis, resolvedVia } };
};
