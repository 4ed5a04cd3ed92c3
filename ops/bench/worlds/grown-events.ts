import type { OrgCreated } from '../../../src/domain/org/events.ts';
import type { ReleaseIndexed } from '../../../src/domain/release/events.ts';
import type { ProductCreated } from '../../../src/domain/product/events.ts';
import type { SourceCreated } from '../../../src/domain/source/events.ts';
import { toTimestamp } from '../../../src/kernel/dates.ts';
import type { DomainEvent, RecordedEvent } from '../../../src/kernel/event.ts';
import { derivedId } from '../../../src/kernel/ids.ts';
import { parseStream } from '../../../src/kernel/stream-name.ts';
import { benchNowMs, benchRequest } from './seeded-data.ts';

const now = toTimestamp(benchNowMs);

export const orgIdOf = (number: number): string => derivedId('org', String(number));
export const productIdOf = (number: number): string => derivedId('prod', String(number));
export const sourceIdOf = (number: number): string => derivedId('src', String(number));

export const orgCreated = (number: number): OrgCreated => ({
  type: 'OrgCreated.v1',
  data: {
    slug: `org-${number}`,
    name: `Org ${number}`,
    domain: `org-${number}.example`,
    description: 'Makes software that others write about.',
    category: null,
    avatarUrl: null,
    tags: ['software'],
    aliases: [],
    featured: false,
    autoGenerateContent: true,
    fetchPaused: false,
    overviewCadenceDays: null,
    discovery: 'curated',
    locations: [],
    notice: null,
    status: 'tracked',
    createdAt: now,
  },
});

export const productCreated = (number: number, orgId: string): ProductCreated => ({
  type: 'ProductCreated.v1',
  data: {
    orgId,
    slug: `product-${number}`,
    name: `Product ${number}`,
    url: null,
    description: null,
    category: null,
    kind: null,
    avatarUrl: null,
    tags: [],
    aliases: [],
    notice: null,
    createdAt: now,
  },
});

export const sourceCreated = (number: number, orgId: string): SourceCreated => ({
  type: 'SourceCreated.v1',
  data: {
    orgId,
    slug: `source-${number}`,
    name: `Source ${number}`,
    type: 'scrape',
    url: `https://example.com/${number}`,
    productId: null,
    kind: null,
    isPrimary: false,
    discovery: 'curated',
    fetchPriority: 'normal',
    metadata: {},
    packages: [],
    createdAt: now,
  },
});

export const releaseIndexed = (sourceId: string, publishedAt: string | null): ReleaseIndexed => ({
  type: 'ReleaseIndexed.v1',
  data: {
    sourceId,
    orgId: null,
    identity: { kind: 'title', value: 'x\n-' },
    given: { title: 'A release', content: '', ...(publishedAt !== null && { publishedAt }) },
    derived: {
      publishedAt: null,
      type: 'feature',
      prerelease: false,
      breaking: 'unknown',
      migrationNotes: null,
      importance: null,
      composition: null,
      summary: '',
      contentChars: null,
      contentTokens: null,
      contentHash: null,
    },
    fetchedAt: now,
    pending: false,
    announcement: 'none',
  },
});

/** As the store would hand it out: the first and only event of its stream. */
export const recorded = (position: number, stream: string, { type, data }: DomainEvent): RecordedEvent => ({
  id: benchRequest(position).commandId,
  type,
  data,
  metadata: { ...benchRequest(position), recordedAt: now },
  stream: parseStream(stream),
  version: 1,
  position,
});
