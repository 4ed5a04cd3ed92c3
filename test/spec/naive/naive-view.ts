import type { FetchState } from '../../../src/records/fetch-state.ts';
import { madeUpFetchState } from './naive-fetches.ts';
import type { NaiveOrg, NaiveProduct, NaiveRegistry, NaiveRelease, NaiveSource } from './naive-registry.ts';

/** What everybody may see at one moment (contract 2.9), in no particular order. */
export interface NaiveView {
  readonly registry: NaiveRegistry;
  readonly nowMs: number;
  readonly orgs: readonly NaiveOrg[];
  readonly products: readonly NaiveProduct[];
  readonly sources: readonly NaiveSource[];
  readonly releases: readonly NaiveRelease[];
  /** Of a past moment: those that are seen now. */
  readonly releasesToday: readonly NaiveRelease[];
  readonly fetchStateOf: (sourceId: string) => FetchState;
}

/** Given, else derived. */
export const publishedAtOf = ({ given, derived }: NaiveRelease): string | null =>
  given.publishedAt ?? derived.publishedAt;

export const publishedMsOf = (release: NaiveRelease): number | null => {
  const publishedAt = publishedAtOf(release);
  return publishedAt === null ? null : Date.parse(publishedAt);
};

export const isPrerelease = ({ given, derived }: NaiveRelease): boolean => given.prerelease ?? derived.prerelease;

export const naiveView = (registry: NaiveRegistry, nowMs: number): NaiveView => {
  const orgs = registry.orgs.filter(({ deleted, hidden }) => !deleted && !hidden);
  const isOfVisibleOrg = ({ orgId }: { orgId: string | null }) => orgId === null || orgs.some(({ id }) => id === orgId);
  const products = registry.products.filter((row) => !row.deleted && !row.hidden && isOfVisibleOrg(row));
  // A hidden or deleted product does not hide its sources.
  const sources = registry.sources.filter((row) => !row.deleted && !row.hidden && isOfVisibleOrg(row));
  const releases = registry.releases.filter((release) => {
    const publishedMs = publishedMsOf(release);
    const hasCome = publishedMs === null || publishedMs <= nowMs + 60_000;
    return !release.erased && !release.suppressed && hasCome && sources.some(({ id }) => id === release.sourceId);
  });
  return {
    registry,
    nowMs,
    orgs,
    products,
    sources,
    releases,
    releasesToday: releases,
    fetchStateOf: madeUpFetchState,
  };
};

/** The same to an admin who asks for something of one org: he sees that org though it is hidden (contract 2.9). */
export const showingOrg = ({ registry, nowMs }: NaiveView, orgId: string | null): NaiveView => {
  const orgs = registry.orgs.map((org) => (org.id === orgId ? { ...org, hidden: false } : org));
  return naiveView({ ...registry, orgs }, nowMs);
};

/** The same to an admin who lists hidden orgs too. */
export const showingOrgs = ({ registry, nowMs }: NaiveView): NaiveView =>
  naiveView({ ...registry, orgs: registry.orgs.map((org) => ({ ...org, hidden: false })) }, nowMs);

export const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

export const compareInAnyCase = (a: string, b: string): number =>
  compareText(a.toLowerCase(), b.toLowerCase()) || compareText(a, b);

export const inAlphabet = (texts: readonly string[]): string[] => [...texts].sort(compareInAnyCase);

/** Name in any case, then id (contract 2.6). */
export const inOrderOfNames = <Row extends { readonly name: string; readonly id: string }>(
  rows: readonly Row[],
): Row[] =>
  [...rows].sort((a, b) => compareText(a.name.toLowerCase(), b.name.toLowerCase()) || compareText(a.id, b.id));

/** Dated before undated; publishedAt desc, fetchedAt desc, id desc (contract 2.4). */
export const inFeedOrder = (releases: readonly NaiveRelease[]): NaiveRelease[] =>
  [...releases].sort((a, b) => {
    const [aMs, bMs] = [publishedMsOf(a) ?? Number.NEGATIVE_INFINITY, publishedMsOf(b) ?? Number.NEGATIVE_INFINITY];
    if (aMs !== bMs) return aMs > bMs ? -1 : 1;
    return Date.parse(b.fetchedAt) - Date.parse(a.fetchedAt) || compareText(b.id, a.id);
  });

export const sourcesOfOrg = ({ sources }: NaiveView, orgId: string): NaiveSource[] =>
  sources.filter((source) => source.orgId === orgId);

export const sourcesOfProduct = ({ sources }: NaiveView, productId: string): NaiveSource[] =>
  sources.filter((source) => source.productId === productId);

/** Those that feeds may show. */
export const visibleReleasesOf = ({ releases }: NaiveView, sources: readonly NaiveSource[]): NaiveRelease[] =>
  releases.filter(({ sourceId }) => sources.some(({ id }) => id === sourceId));

/** Those that numbers are made of: what only covers another release is not counted. */
export const releasesOf = (view: NaiveView, sources: readonly NaiveSource[]): NaiveRelease[] =>
  visibleReleasesOf(view, sources).filter(({ coverageOf }) => coverageOf === null);

/** The product that shows on a source and its releases: none when it is hidden or deleted. */
export const shownProduct = ({ products }: NaiveView, { productId }: NaiveSource): NaiveProduct | null =>
  products.find(({ id }) => id === productId) ?? null;

/** Source kind, else product kind, else null (contract 2.8). */
export const resolvedKind = (view: NaiveView, source: NaiveSource): string | null =>
  source.kind ?? shownProduct(view, source)?.kind ?? null;

export const orgOf = ({ registry }: NaiveView, { orgId }: NaiveSource): NaiveOrg | null =>
  registry.orgs.find(({ id }) => id === orgId) ?? null;

/**
 * It says so, and nobody of the same group has asked after it: whoever asks clears the others (contract 14.3), and is
 * then in no group by deletion of its product or by moving.
 */
export const isPrimary = ({ registry }: NaiveView, source: NaiveSource): boolean => {
  const product = registry.products.find((row) => row.id === source.productId && !row.deleted);
  const group = product?.id ?? null;
  const asksOf = ({ primaryAsks }: NaiveSource) =>
    primaryAsks.filter(({ productId }) => productId === group).map(({ position }) => position);
  const own = asksOf(source);
  if (source.deleted || !source.isPrimary || own.length === 0) return false;
  // What a purged one has asked for is gone with it.
  const siblings = registry.sources.filter(
    (row) => row === source || (!row.purged && row.orgId !== null && row.orgId === source.orgId),
  );
  return Math.max(...siblings.flatMap(asksOf)) === Math.max(...own);
};

/** Contract 2.13: the first text that leaves anything, cut at a hyphen. */
export const naiveWebUrl = ({ id, given: { titleShort, titleGenerated, title, version } }: NaiveRelease): string => {
  const slugOf = (text: string) =>
    text
      .normalize('NFKD')
      .replaceAll(/\p{M}/gu, '')
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replaceAll(/^-|-$/g, '');
  const words = [titleShort, titleGenerated, title, version]
    .map((text) => slugOf(text ?? ''))
    .find((slug) => slug !== '');
  return `https://registry.example/release/${id}${words === undefined ? '' : `-${words}`}`;
};

export const naiveGithubHandle = ({ accounts }: NaiveOrg): string | null =>
  accounts.find(({ platform }) => platform === 'github')?.handle ?? null;
