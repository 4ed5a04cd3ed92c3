import type { OrgDocument } from '../projections/org/org.ts';
import type { SourceDocument } from '../projections/source/source.ts';
import { catalogueReads } from '../src/catalogue/catalogue.ts';
import { allSight, isOrgVisible, isSourceVisible, publicSight, sightOn } from '../src/catalogue/visibility.ts';
import { theseSources } from '../src/catalogue/wanted-sources.ts';
import { lanesOf } from '../src/domain/release/feed/lane.ts';
import { releaseFeedAnswer, releaseFeedReads } from './feed/release-feed-answer.ts';
import { orgOf } from './shape/release/feed-item.ts';
import type { Asking, QueryDeps } from './shape/query-deps.ts';
import { sourceRecord } from './shape/source/source-record.ts';

export interface LookupAnswerInput {
  readonly status: 'indexed' | 'existing' | 'empty' | 'not_found' | 'deferred';
  readonly sourceId: string | null;
  /** Of the owner of the repository. */
  readonly orgId: string | null;
}

export const lookupAnswerReads = [...catalogueReads, ...releaseFeedReads];

const releasesMax = 20;

/** What was made on demand is hidden, but not from those who may ask for more of it. */
const isShownOrg = (org: OrgDocument, admin: boolean): boolean =>
  isOrgVisible(org, admin || org.discovery === 'on_demand' ? allSight : publicSight);

/** What a lookup came to (contract 8). Of a source that an admin has hidden, others learn only that there is one. */
export const lookupAnswer = async (
  deps: QueryDeps,
  { status, sourceId, orgId }: LookupAnswerInput,
  { nowMs, admin }: Asking,
) => {
  const { catalogue } = deps;
  const isShown = (source: SourceDocument): boolean => {
    if (isSourceVisible(catalogue, source, admin ? allSight : publicSight)) return true;
    const org = orgOf(catalogue, source);
    return source.discovery === 'on_demand' && source.deletedAt === null && (org === null || isShownOrg(org, admin));
  };
  const found = sourceId === null ? undefined : catalogue.source(sourceId);
  const source = found !== undefined && isShown(found) ? found : null;
  const relatedId = source?.orgId ?? orgId;
  const org = relatedId === null ? undefined : catalogue.org(relatedId);
  const relatedOrg =
    org !== undefined && isShownOrg(org, admin) ? { id: org.id, slug: org.slug, name: org.name } : null;
  if (source === null) return { status, source: null, releases: [], relatedOrg };

  const sight = sightOn(true, source.id, source.orgId);
  const fetched = (await deps.fetchStates([source.id]))[0]!;
  const { releases } = await releaseFeedAnswer(deps, {
    feed: 'lookup',
    entity: source.id,
    paging: { cursor: null, limit: releasesMax, sent: {} },
    sight,
    request: {
      orgId: source.orgId,
      sources: theseSources(catalogue, [source]),
      // Whoever asks what a repository has released is told of all of it: there is no parameter to ask for more.
      lanes: lanesOf({ includePrereleases: true, includeCoverage: false }),
      sinceMs: null,
      untilMs: null,
      nowMs,
    },
  });
  return {
    status,
    source: sourceRecord(deps, { source, fetched }, sight, { nowMs, admin }),
    releases,
    relatedOrg,
  };
};
