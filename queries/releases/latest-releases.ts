import { releaseFeedProjection } from '../../projections/release-feed/release-feed.ts';
import { type Catalogue, catalogueReads } from '../../src/catalogue/catalogue.ts';
import { resolveOrg, resolveSource } from '../../src/catalogue/resolve.ts';
import { publicSight, type Sight, sightOn } from '../../src/catalogue/visibility.ts';
import {
  allPublicSources,
  sourcesOfOrg,
  theseSources,
  type WantedSources,
} from '../../src/catalogue/wanted-sources.ts';
import { type SourceType, sourceTypes } from '../../src/domain/enumerations.ts';
import { type LaneChoice, lanesOf } from '../../src/domain/release/feed/lane.ts';
import { DomainError } from '../../src/kernel/errors.ts';
import { feedPage } from '../feed/feed-page.ts';
import type { Asking, QueryDeps } from '../shape/query-deps.ts';
import { releaseItemBytes } from '../shape/release/release-items.ts';

export interface LatestReleasesInput extends LaneChoice {
  readonly source: string | null;
  readonly org: string | null;
  readonly count: number;
  /** Source types to leave out. */
  readonly exclude: readonly SourceType[];
  /** Releases without a score drop out when it is set. */
  readonly minImportance: number | null;
  readonly sinceMs: number | null;
  readonly untilMs: number | null;
}

export const latestReleasesReads = [...catalogueReads, releaseFeedProjection];

interface Scope {
  readonly orgId: string | null;
  readonly sources: WantedSources;
  readonly sight: Sight;
}

const scopeOf = (catalogue: Catalogue, { source, org, exclude }: LatestReleasesInput, admin: boolean): Scope => {
  if (source !== null && org !== null) {
    throw new DomainError('conflicting_parameters', { parameters: ['source', 'org'] });
  }
  const isWanted = (type: SourceType): boolean => !exclude.includes(type);
  if (source !== null) {
    const found = resolveSource(catalogue, source, admin);
    const sources = theseSources(catalogue, isWanted(found.type) ? [found] : []);
    return { orgId: found.orgId, sources, sight: sightOn(admin, found.id, found.orgId) };
  }
  if (org !== null) {
    const { id } = resolveOrg(catalogue, org, admin);
    const sight = sightOn(admin, id);
    const wanted = { types: sourceTypes.filter(isWanted), kind: null };
    return { orgId: id, sources: sourcesOfOrg(catalogue, { orgId: id, product: null, sight }, wanted), sight };
  }
  return { orgId: null, sources: allPublicSources(catalogue, exclude), sight: publicSight };
};

const listBegin = Buffer.from('{"releases":[');
const comma = Buffer.from(',');
const listEnd = Buffer.from(']}');

/** The newest releases of the registry, of an org or of a source (contract 6.1), as JSON. */
export const latestReleases = async (
  deps: Pick<QueryDeps, 'models' | 'catalogue' | 'webBaseUrl'>,
  input: LatestReleasesInput,
  { nowMs, admin }: Asking,
): Promise<Buffer> => {
  const { minImportance, sinceMs, untilMs } = input;
  // Named one by one: what is gathered from other objects has a shape of its own each time, which costs more than to read.
  const { orgId, sources, sight } = scopeOf(deps.catalogue, input, admin);
  const { rows } = await feedPage(deps.models.of(releaseFeedProjection), {
    orgId,
    sources,
    lanes: lanesOf(input),
    sinceMs,
    untilMs,
    nowMs,
    minImportance,
    after: null,
    limit: input.count,
  });
  const parts: Buffer[] = [listBegin];
  for (const item of await releaseItemBytes(deps, { rows, sight, nowMs })) {
    if (parts.length > 1) parts.push(comma);
    parts.push(item);
  }
  parts.push(listEnd);
  return Buffer.concat(parts);
};
