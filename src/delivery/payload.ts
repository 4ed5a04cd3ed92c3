import type { AnnouncedRelease, Media, ReleaseAnnounced } from '../domain/release/events.ts';

export interface WebhookPayload {
  readonly id: string;
  readonly type: 'release.created';
  readonly seq: number;
  /** Milliseconds since the epoch. */
  readonly ts: number;
  readonly release: AnnouncedRelease;
  readonly test?: true;
}

// Every field is named, in the order of contract 13.5: receivers sign and compare bytes, and a store may hand the
// fields out in another order than it took them.
const mediaItem = ({ type, url, alt, r2Key, r2Url, linkUrl }: Media): Media => ({
  type,
  url,
  ...(alt !== undefined && { alt }),
  ...(r2Key !== undefined && { r2Key }),
  ...(r2Url !== undefined && { r2Url }),
  ...(linkUrl !== undefined && { linkUrl }),
});

const orgPart = (org: AnnouncedRelease['org']): AnnouncedRelease['org'] =>
  org && { id: org.id, slug: org.slug, name: org.name, avatarUrl: org.avatarUrl, githubHandle: org.githubHandle };

const productPart = (product: AnnouncedRelease['product']): AnnouncedRelease['product'] =>
  product && { id: product.id, slug: product.slug, name: product.name };

const releasePart = (release: AnnouncedRelease): AnnouncedRelease => ({
  id: release.id,
  title: release.title,
  summary: release.summary,
  sourceId: release.sourceId,
  sourceName: release.sourceName,
  sourceSlug: release.sourceSlug,
  sourceType: release.sourceType,
  webUrl: release.webUrl,
  fetchedAt: release.fetchedAt,
  version: release.version,
  titleGenerated: release.titleGenerated,
  titleShort: release.titleShort,
  publishedAt: release.publishedAt,
  url: release.url,
  orgId: release.orgId,
  productId: release.productId,
  type: release.type,
  breaking: release.breaking,
  prerelease: release.prerelease,
  importance: release.importance,
  contentChars: release.contentChars,
  contentTokens: release.contentTokens,
  org: orgPart(release.org),
  product: productPart(release.product),
  media: release.media.map(mediaItem),
});

export const webhookPayload = (
  { eventId, tsMs, release }: ReleaseAnnounced['data'],
  seq: number,
  { isTest = false }: { readonly isTest?: boolean } = {},
): WebhookPayload => ({
  id: eventId,
  type: 'release.created',
  seq,
  ts: tsMs,
  release: releasePart(release),
  ...(isTest && { test: true }),
});

/** The body that is signed and sent. The same event and seq give the same bytes, whenever and wherever. */
export const payloadText = (
  announced: ReleaseAnnounced['data'],
  seq: number,
  options?: { readonly isTest?: boolean },
): string => JSON.stringify(webhookPayload(announced, seq, options));
