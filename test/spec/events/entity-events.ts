import type { OrgCreated, OrgEvent } from '../../../src/domain/org/events.ts';
import { type OrgState, org } from '../../../src/domain/org/state.ts';
import type { ProductCreated, ProductEvent } from '../../../src/domain/product/events.ts';
import { type ProductState, product } from '../../../src/domain/product/state.ts';
import type { SourceCreated, SourceEvent } from '../../../src/domain/source/events.ts';
import { type SourceState, source } from '../../../src/domain/source/state.ts';
import type { WebhookCreated } from '../../../src/domain/webhook/events.ts';
import { stateAfter } from '../given-when-then.ts';

/** An id of the right shape that is easy to tell apart in a failure. */
export const idOf = (prefix: string, letter: string): string => `${prefix}_${letter.repeat(21)}`;

export const acme = idOf('org', 'A');
export const other = idOf('org', 'B');
export const widget = idOf('prod', 'W');
export const blog = idOf('src', 'S');

const createdAt = '2026-01-01T00:00:00.000Z';
const deletedAt = '2026-02-20T00:00:00.000Z';

export const orgCreated = (fields: Partial<OrgCreated['data']> = {}): OrgCreated => ({
  type: 'OrgCreated.v1',
  data: {
    slug: 'acme',
    name: 'Acme',
    domain: null,
    description: null,
    category: null,
    avatarUrl: null,
    tags: [],
    aliases: [],
    featured: false,
    autoGenerateContent: true,
    fetchPaused: false,
    overviewCadenceDays: null,
    discovery: 'curated',
    locations: [],
    notice: null,
    status: 'tracked',
    createdAt,
    ...fields,
  },
});
export const orgHidden: OrgEvent = { type: 'OrgHidden.v1', data: { hiddenAt: createdAt } };
export const orgDeleted: OrgEvent = { type: 'OrgDeleted.v1', data: { deletedAt } };

export const orgPurged: OrgEvent = { type: 'OrgPurged.v1', data: { purgedAt: deletedAt } };

export const productCreated = (fields: Partial<ProductCreated['data']> = {}): ProductCreated => ({
  type: 'ProductCreated.v1',
  data: {
    orgId: acme,
    slug: 'widget',
    name: 'Widget',
    url: null,
    description: null,
    category: null,
    kind: null,
    avatarUrl: null,
    tags: [],
    aliases: [],
    notice: null,
    createdAt,
    ...fields,
  },
});
export const productHidden: ProductEvent = { type: 'ProductHidden.v1', data: { hiddenAt: createdAt } };
export const productDeleted: ProductEvent = { type: 'ProductDeleted.v1', data: { deletedAt } };

export const productPurged: ProductEvent = { type: 'ProductPurged.v1', data: { orgId: acme, purgedAt: deletedAt } };

export const sourceCreated = (fields: Partial<SourceCreated['data']> = {}): SourceCreated => ({
  type: 'SourceCreated.v1',
  data: {
    orgId: acme,
    slug: 'blog',
    name: 'Blog',
    type: 'scrape',
    url: 'https://acme.example/blog',
    productId: null,
    kind: null,
    isPrimary: false,
    discovery: 'curated',
    fetchPriority: 'normal',
    metadata: {},
    packages: [],
    createdAt,
    ...fields,
  },
});
export const sourceHidden: SourceEvent = { type: 'SourceHidden.v1', data: { hiddenAt: createdAt } };
export const sourceUnhidden: SourceEvent = { type: 'SourceUnhidden.v1', data: { unhiddenAt: createdAt } };
export const sourceDeleted: SourceEvent = { type: 'SourceDeleted.v1', data: { deletedAt } };

export const sourcePurged: SourceEvent = { type: 'SourcePurged.v1', data: { orgId: acme, purgedAt: deletedAt } };

export const webhookCreated = (fields: Partial<WebhookCreated['data']> = {}): WebhookCreated => ({
  type: 'WebhookCreated.v1',
  data: {
    url: 'https://receiver.example/hook',
    description: null,
    format: 'json',
    orgId: acme,
    sourceId: null,
    productId: null,
    releaseType: null,
    minImportance: null,
    breaking: null,
    enabled: true,
    createdAt,
    ...fields,
  },
});

/** The last and the first moment at which what was deleted above can and cannot be restored. */
export const lastRestorable = '2026-03-22T00:00:00.000Z';
export const firstExpired = '2026-03-22T00:00:00.001Z';

export const orgAfter = (...events: OrgEvent[]): OrgState => stateAfter(org, events);
export const productAfter = (...events: ProductEvent[]): ProductState => stateAfter(product, events);
export const sourceAfter = (...events: SourceEvent[]): SourceState => stateAfter(source, events);

export const liveOrg = orgAfter(orgCreated());
export const hiddenOrg = orgAfter(orgCreated(), orgHidden);
export const deletedOrg = orgAfter(orgCreated(), orgDeleted);
export const purgedOrg = orgAfter(orgCreated(), orgPurged);
