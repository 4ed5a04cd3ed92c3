import { releaseFeedProjection } from '../../projections/release-feed/release-feed.ts';
import { releaseVersionsProjection } from '../../projections/release-versions/release-versions.ts';
import type { SourceDocument } from '../../projections/source/source.ts';
import type { Breaking } from '../../src/domain/enumerations.ts';
import { effectiveCard } from '../../src/domain/release/effective.ts';
import { releaseWebPath } from '../../src/domain/release/web-path.ts';
import { orgOf } from '../shape/release/feed-item.ts';
import type { Asking, QueryDeps } from '../shape/query-deps.ts';
import { sourceByCoordinateReads } from '../sources/source-by-coordinate.ts';
import { type ChangedRelease, type ChangedReleases, changedReleases } from './changed-releases.ts';
import { type NamedPackage, resolvePackage } from './resolve-package.ts';

export interface WhatsChangedInput extends NamedPackage {
  readonly from: string;
  readonly to: string;
}

export const whatsChangedReads = [...sourceByCoordinateReads, releaseFeedProjection, releaseVersionsProjection];

/** What a model can read beside its other work (contract 9.2). */
const tokensMax = 20_000;
/** An entry costs something even when it says nothing, so 312 of them are the most. */
const entryTokensMin = 64;
const charsPerToken = 4;

const entryOf = (webBaseUrl: string, { row, migrationNotes }: ChangedRelease) => {
  const values = effectiveCard(row.given, row.derived);
  return {
    id: row.id,
    version: values.version,
    publishedAt: values.publishedAt,
    title: values.title,
    summary: values.summary,
    breaking: values.breaking,
    migrationNotes,
    importance: values.importance,
    prerelease: values.prerelease,
    url: values.url,
    webUrl: `${webBaseUrl}${releaseWebPath(row.id, values)}`,
  };
};

type Entry = ReturnType<typeof entryOf>;

const tokensOf = ({ title, summary, migrationNotes }: Entry): number =>
  Math.max(entryTokensMin, Math.ceil((title.length + summary.length + (migrationNotes?.length ?? 0)) / charsPerToken));

/** The newest that the budget has room for, oldest first; no more is read than that. */
const entriesWithin = async (webBaseUrl: string, newestFirst: ChangedReleases['newestFirst']) => {
  const entries: Entry[] = [];
  let tokens = 0;
  for await (const releases of newestFirst) {
    for (const release of releases) {
      const entry = entryOf(webBaseUrl, release);
      tokens += tokensOf(entry);
      if (tokens > tokensMax) return { entries: entries.reverse(), truncated: true };
      entries.push(entry);
    }
  }
  return { entries: entries.reverse(), truncated: false };
};

const strongestFirst: readonly Breaking[] = ['major', 'minor', 'unknown', 'none'];

/** Of the whole range: what the budget has no room for may break most. */
const strongestOf = async (
  { entries, truncated }: Awaited<ReturnType<typeof entriesWithin>>,
  hasVerdict: ChangedReleases['hasVerdict'],
): Promise<Breaking> => {
  for (const verdict of strongestFirst) {
    if (entries.some(({ breaking }) => breaking === verdict)) return verdict;
    const isAmongOthers = truncated && (await hasVerdict(verdict));
    if (isAmongOthers === null) return 'unknown'; // whether something breaks so much cannot be told
    if (isAmongOthers) return verdict;
  }
  return 'none';
};

const sourceCard = ({ catalogue }: Pick<QueryDeps, 'catalogue'>, source: SourceDocument) => ({
  sourceId: source.id,
  sourceSlug: source.slug,
  orgSlug: orgOf(catalogue, source)?.slug ?? null,
});

/** What changed in a package between two versions, as far as its releases are known here (contract 9). */
export const whatsChanged = async (
  deps: Pick<QueryDeps, 'models' | 'catalogue' | 'webBaseUrl'>,
  input: WhatsChangedInput,
  asking: Asking,
) => {
  const { from, to, ecosystem } = input;
  const asked = { package: input.package, from, to, ecosystem };
  const resolved = await resolvePackage(deps, input, asking);
  if (resolved.source === null) {
    return {
      status: 'unknown' as const,
      ...asked,
      source: null,
      count: 0,
      entries: [],
      truncated: false,
      breaking: 'unknown' as const,
      rangeBasis: 'none' as const,
      resolvedVia: null,
      reason: resolved.reason,
    };
  }
  const { source, resolvedVia } = resolved;
  const range = { sourceId: source.id, packageNames: resolved.names, from, to, nowMs: asking.nowMs };
  const { rangeBasis, newestFirst, hasVerdict } = await changedReleases(deps, range);
  const within = await entriesWithin(deps.webBaseUrl, newestFirst);
  const { entries, truncated } = within;
  return {
    status: 'resolved' as const,
    ...asked,
    source: sourceCard(deps, source),
    count: entries.length,
    entries,
    truncated,
    ...(truncated && { truncatedAtTokens: tokensMax }),
    // Without a range nothing was looked at, and nobody can tell.
    breaking: rangeBasis === 'none' ? ('unknown' as const) : await strongestOf(within, hasVerdict),
    rangeBasis,
    resolvedVia,
  };
};
