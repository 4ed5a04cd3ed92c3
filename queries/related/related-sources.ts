import { releaseFeedProjection } from '../../projections/release-feed/release-feed.ts';
import type { SourceDocument } from '../../projections/source/source.ts';
import { catalogueReads } from '../../src/catalogue/catalogue.ts';
import { recentReleaseCount, releaseCount } from '../../src/catalogue/numbers.ts';
import { findOrg, resolveSource } from '../../src/catalogue/resolve.ts';
import { isSourceVisible, sightOn } from '../../src/catalogue/visibility.ts';
import { theseSources } from '../../src/catalogue/wanted-sources.ts';
import { effectiveCard } from '../../src/domain/release/effective.ts';
import { lanesOf } from '../../src/domain/release/feed/lane.ts';
import type { SearchFilter, SearchHit } from '../../src/ports/search-index.ts';
import { feedPage } from '../feed/feed-page.ts';
import type { Asking } from '../shape/query-deps.ts';
import { orgOf } from '../shape/release/feed-item.ts';
import { relatedAnswer, type RelatedDeps, type RelatedInput } from './related-answer.ts';

export const relatedSourcesReads = [...catalogueReads, releaseFeedProjection];

export interface RelatedSourcesInput extends RelatedInput {
  readonly source: string;
  /** Whose sources are left out. */
  readonly excludeOrgSlug: string | null;
}

type SourceItemDeps = Pick<RelatedDeps, 'models' | 'catalogue'>;

/** The newest that is no prerelease, else the newest of those (contract 2.12). */
async function newestOf({ models, catalogue }: SourceItemDeps, source: SourceDocument, nowMs: number) {
  for (const includePrereleases of [false, true]) {
    const { rows } = await feedPage(models.of(releaseFeedProjection), {
      orgId: source.orgId,
      sources: theseSources(catalogue, [source]),
      lanes: lanesOf({ includePrereleases, includeCoverage: false }),
      sinceMs: null,
      untilMs: null,
      nowMs,
      minImportance: null,
      after: null,
      limit: 1,
    });
    const [newest] = rows;
    if (newest !== undefined) return effectiveCard(newest.given, newest.derived);
  }
  return null;
}

async function sourceItem(deps: SourceItemDeps, source: SourceDocument, nowMs: number) {
  const { catalogue } = deps;
  const org = orgOf(catalogue, source);
  const newest = await newestOf(deps, source, nowMs);
  const instants = [catalogue.instantsOf(source.id)];
  return {
    id: source.id,
    slug: source.slug,
    name: source.name,
    type: source.type,
    url: source.url,
    orgSlug: org?.slug ?? null,
    orgName: org?.name ?? null,
    orgAvatarUrl: org?.avatarUrl ?? null,
    releaseCount: releaseCount(instants, nowMs),
    latestDate: newest?.publishedAt ?? null,
    latestTitle: newest?.title ?? null,
    latestVersion: newest?.version ?? null,
    recentCount: recentReleaseCount(instants, nowMs),
  };
}

/** Sources that are about the same (contract 7.4). */
export async function relatedSources(deps: RelatedDeps, input: RelatedSourcesInput, { nowMs, admin }: Asking) {
  const { catalogue } = deps;
  const { scope, limit } = input;
  const anchor = resolveSource(catalogue, input.source, admin);
  const excluded = input.excludeOrgSlug === null ? undefined : findOrg(catalogue, input.excludeOrgSlug, admin);
  const sight = sightOn(admin, anchor.id, anchor.orgId);

  const isShown = (source: SourceDocument): boolean =>
    source.id !== anchor.id &&
    (excluded === undefined || source.orgId !== excluded.id) &&
    (scope === 'global'
      ? isSourceVisible(catalogue, source)
      : anchor.orgId !== null && source.orgId === anchor.orgId && isSourceVisible(catalogue, source, sight));

  const itemsOf = (neighbours: readonly SearchHit[]) => {
    const shown = neighbours.flatMap(({ id, score }) => {
      const source = catalogue.source(id);
      return source !== undefined && isShown(source) ? [{ source, score }] : [];
    });
    return Promise.all(
      shown.slice(0, limit).map(async ({ source, score }) => ({ ...(await sourceItem(deps, source, nowMs)), score })),
    );
  };

  const siblings = anchor.orgId === null ? [] : catalogue.sourcesOfOrg(anchor.orgId).filter(isShown);
  const sources: SearchFilter['sources'] =
    scope === 'org' ? { in: new Set(siblings.map(({ id }) => id)) } : { notIn: catalogue.sourceSets().unseen() };
  const excludedIds = excluded === undefined ? [] : catalogue.sourcesOfOrg(excluded.id).map(({ id }) => id);
  return relatedAnswer(
    deps,
    {
      anchor: { kind: 'source', id: anchor.id },
      list: `${scope} ${excluded?.id ?? ''}`,
      filter: { sources, withCoverage: true, except: new Set([anchor.id, ...excludedIds]) },
      itemsOf,
    },
    { ...input, nowMs },
  );
}
