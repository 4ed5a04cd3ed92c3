import type { OrgEvent } from '../../../src/domain/org/events.ts';
import { org } from '../../../src/domain/org/state.ts';
import type { ProductEvent } from '../../../src/domain/product/events.ts';
import { product } from '../../../src/domain/product/state.ts';
import type { ReleaseEvent } from '../../../src/domain/release/events.ts';
import type { ReleaseParents } from '../../../src/domain/release/parents.ts';
import type { SourceEvent, SourceFields } from '../../../src/domain/source/events.ts';
import { source } from '../../../src/domain/source/state.ts';
import { stateAfter } from '../given-when-then.ts';

const id = (prefix: string, letter: string): string => `${prefix}_${letter.repeat(21)}`;

export const orgId = id('org', 'A');
export const productId = id('prod', 'B');
export const sourceId = id('src', 'C');
export const webBaseUrl = 'https://registry.example';

const createdAt = '2026-01-01T00:00:00.000Z';

const sourceFields: SourceFields = {
  slug: 'core',
  name: 'Core',
  type: 'feed',
  url: 'https://acme.example/changelog',
  productId: null,
  kind: null,
  isPrimary: false,
  discovery: 'curated',
  fetchPriority: 'normal',
  metadata: {},
  packages: [],
};

const orgCreated: OrgEvent = {
  type: 'OrgCreated.v1',
  data: {
    slug: 'acme',
    name: 'Acme',
    domain: 'acme.example',
    description: null,
    category: null,
    avatarUrl: 'https://acme.example/logo.png',
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
  },
};

const productCreated: ProductEvent = {
  type: 'ProductCreated.v1',
  data: {
    orgId,
    slug: 'rocket',
    name: 'Rocket',
    url: null,
    description: null,
    category: null,
    kind: null,
    avatarUrl: null,
    tags: [],
    aliases: [],
    notice: null,
    createdAt,
  },
};

/** A source of an org, with or without a product, after whatever else happened to them. */
export const parentsAfter = (
  happened: { source?: SourceEvent[]; org?: OrgEvent[]; product?: ProductEvent[] } = {},
): ReleaseParents => ({
  source: stateAfter(source, [
    {
      type: 'SourceCreated.v1',
      data: { ...sourceFields, orgId, productId: happened.product === undefined ? null : productId, createdAt },
    },
    ...(happened.source ?? []),
  ]),
  org: stateAfter(org, [orgCreated, ...(happened.org ?? [])]),
  ...(happened.product && { product: stateAfter(product, [productCreated, ...happened.product]) }),
});

export const standaloneSource: ReleaseParents = {
  source: stateAfter(source, [{ type: 'SourceCreated.v1', data: { ...sourceFields, orgId: null, createdAt } }]),
};

export const sourceHidden: SourceEvent = { type: 'SourceHidden.v1', data: { hiddenAt: createdAt } };
export const sourceUnhidden: SourceEvent = { type: 'SourceUnhidden.v1', data: { unhiddenAt: createdAt } };
export const sourceDeleted: SourceEvent = { type: 'SourceDeleted.v1', data: { deletedAt: createdAt } };
export const orgHidden: OrgEvent = { type: 'OrgHidden.v1', data: { hiddenAt: createdAt } };
export const orgDeleted: OrgEvent = { type: 'OrgDeleted.v1', data: { deletedAt: createdAt } };
export const productHidden: ProductEvent = { type: 'ProductHidden.v1', data: { hiddenAt: createdAt } };
export const productDeleted: ProductEvent = { type: 'ProductDeleted.v1', data: { deletedAt: createdAt } };

export const releaseErased: ReleaseEvent = {
  type: 'ReleaseErased.v1',
  data: { sourceId, orgId, identityKind: 'version', publishedDates: [null], bodyStreams: [] },
};
