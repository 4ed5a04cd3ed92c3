import { derivedId } from '../../kernel/ids.ts';
import { streamOf } from '../../kernel/stream-name.ts';
import { githubHandleOf } from '../org/accounts.ts';
import { effectiveDate, effectiveRelease } from './effective.ts';
import type { AnnouncedRelease, ReleaseAnnounced, ReleaseDerived, ReleaseEvent, ReleaseGiven } from './events.ts';
import type { ReleaseParents } from './parents.ts';
import type { IndexedRelease } from './state.ts';
import { areParentsVisible, isVisible } from './visible.ts';
import { releaseWebPath } from './web-path.ts';

/** The parts of a release that an announcement shows. */
interface AnnounceableRelease {
  readonly sourceId: string;
  readonly orgId: string | null;
  readonly given: ReleaseGiven;
  readonly derived: ReleaseDerived;
  readonly fetchedAt: string;
}

export interface AnnouncementContext {
  /** The release's id. */
  readonly id: string;
  readonly parents: ReleaseParents;
  readonly webBaseUrl: string;
  readonly commandId: string;
  readonly now: string;
}

const announcedOrg = (orgId: string | null, { org }: ReleaseParents): AnnouncedRelease['org'] =>
  orgId === null || org === undefined
    ? null
    : {
        id: orgId,
        slug: org.slug,
        name: org.name,
        avatarUrl: org.avatarUrl,
        githubHandle: githubHandleOf(org.accounts),
      };

const announcedProduct = ({ source, product }: ReleaseParents): AnnouncedRelease['product'] =>
  source.productId === null || product === undefined || !isVisible(product)
    ? null
    : { id: source.productId, slug: product.slug, name: product.name };

export const announcedRelease = (
  release: AnnounceableRelease,
  { id, parents, webBaseUrl }: Pick<AnnouncementContext, 'id' | 'parents' | 'webBaseUrl'>,
): AnnouncedRelease => {
  const values = effectiveRelease(release.given, release.derived);
  const product = announcedProduct(parents);
  return {
    id,
    title: values.title,
    summary: values.summary,
    sourceId: release.sourceId,
    sourceName: parents.source.name,
    sourceSlug: parents.source.slug,
    sourceType: parents.source.type,
    webUrl: `${webBaseUrl}${releaseWebPath(id, values)}`,
    fetchedAt: release.fetchedAt,
    version: values.version,
    titleGenerated: values.titleGenerated,
    titleShort: values.titleShort,
    publishedAt: values.publishedAt,
    url: values.url,
    orgId: release.orgId,
    productId: product?.id ?? null, // a product that does not show must not be matched on either
    type: values.type,
    breaking: values.breaking,
    prerelease: values.prerelease,
    importance: values.importance,
    contentChars: values.contentChars,
    contentTokens: values.contentTokens,
    org: announcedOrg(release.orgId, parents),
    product,
    media: values.media,
  };
};

/** A release is announced once, so its stream tells the announcements of one command apart. */
export const announcement = (release: AnnounceableRelease, context: AnnouncementContext): ReleaseAnnounced => ({
  type: 'ReleaseAnnounced.v1',
  data: {
    eventId: derivedId('evt', context.commandId, streamOf('release', context.id)),
    tsMs: Date.parse(context.now),
    release: announcedRelease(release, context),
  },
});

/** What is taken down or only covers another release is no news (contract 13.4). */
const isNews = ({ suppression, coverage }: IndexedRelease): boolean => suppression === null && coverage.link === null;

/** The date of a pending release has come: it is announced if that is owed, and if anybody can see it. */
export const datedEvents = (release: IndexedRelease, context: AnnouncementContext): ReleaseEvent[] => {
  const publishedAt = effectiveDate(release.given, release.derived);
  const dated: ReleaseEvent = { type: 'ReleaseDated.v1', data: { sourceId: release.sourceId, publishedAt } };
  if (!release.announcementOwed) return [dated];
  if (isNews(release) && areParentsVisible(context.parents)) return [dated, announcement(release, context)];
  return [dated, { type: 'AnnouncementWaived.v1', data: { reason: 'not_visible' } }];
};
