import { createCatalogue } from '../../../src/catalogue/catalogue.ts';
import type { OrgFields } from '../../../src/domain/org/events.ts';
import type { ProductFields } from '../../../src/domain/product/events.ts';
import type { ReleaseGiven, ReleaseIndexed } from '../../../src/domain/release/events.ts';
import type { SourceFields } from '../../../src/domain/source/events.ts';
import type { DomainEvent } from '../../../src/kernel/event.ts';
import type { Projection } from '../../../src/kernel/projection.ts';
import { orgCreated, productCreated, sourceCreated } from '../events/entity-events.ts';
import { openProjectedRegistry } from './projected-registry.ts';
import { indexed } from '../events/release-events.ts';

const padded = (prefix: string, name: string): string => `${prefix}_${name.padEnd(21, 'x')}`;

export const orgIdOf = (name: string): string => padded('org', name);
export const productIdOf = (name: string): string => padded('prod', name);
export const sourceIdOf = (name: string): string => padded('src', name);
export const releaseIdOf = (name: string): string => padded('rel', name);

/** Streams as `recordMany` takes them, of entities that are named by a word, which is also their slug. */
export const orgStream = (name: string, fields: Partial<OrgFields> = {}) =>
  [`org-${orgIdOf(name)}`, [orgCreated({ slug: name, name, ...fields })]] as const;

export const sourceStream = (name: string, org: string | null, fields: Partial<SourceFields> = {}) => {
  const orgId = org === null ? null : orgIdOf(org);
  return [`source-${sourceIdOf(name)}`, [sourceCreated({ orgId, slug: name, name, ...fields })]] as const;
};

interface Parents {
  readonly source: string;
  readonly org: string | null;
  readonly fetchedAt?: string;
}

export const releaseStream = (name: string, { source, org, ...others }: Parents, given: Partial<ReleaseGiven> = {}) => {
  const orgId = org === null ? null : orgIdOf(org);
  const event = indexed(sourceIdOf(source), { title: name, ...given }, { orgId, ...others });
  return [`release-${releaseIdOf(name)}`, [event]] as const;
};

const at = '2026-01-05T00:00:00.000Z';
const endings: Readonly<Record<string, object>> = {
  Hidden: { hiddenAt: at },
  Unhidden: { unhiddenAt: at },
  Deleted: { deletedAt: at },
  Restored: { restoredAt: at },
};

/** A registry to tell stories in: entities are named by a word, which is also their slug. */
export const openSampleRegistry = async (projections?: readonly Projection[]) => {
  const registry = await openProjectedRegistry(projections);
  const { record } = registry;
  const catalogue = await createCatalogue(registry.models);
  const orgOfSource = new Map<string, string | null>();

  const step =
    (stream: (name: string) => string, type: string) =>
    (name: string, what: 'Hidden' | 'Unhidden' | 'Deleted' | 'Restored' | object): Promise<void> => {
      const event: DomainEvent =
        typeof what === 'string'
          ? { type: `${type}${what}.v1`, data: endings[what] as object }
          : { type: `${type}Changed.v1`, data: { changed: what } };
      return record(stream(name), [event]);
    };

  return {
    models: registry.models,
    record,
    recordMany: registry.recordMany,
    recordOnlyIn: registry.recordOnlyIn,
    close: registry.close,
    catalogue,
    addOrg: (name: string, fields: Partial<OrgFields> = {}) => record(...orgStream(name, fields)),
    addProduct: (name: string, org: string, fields: Partial<ProductFields & { slug: string }> = {}) =>
      record(`product-${productIdOf(name)}`, [productCreated({ orgId: orgIdOf(org), slug: name, name, ...fields })]),
    addSource: (name: string, org: string | null, fields: Partial<SourceFields> = {}) => {
      orgOfSource.set(name, org);
      return record(...sourceStream(name, org, fields));
    },
    addRelease: (
      name: string,
      source: string,
      given: Partial<ReleaseGiven> = {},
      others: Partial<Pick<ReleaseIndexed['data'], 'fetchedAt'>> = {},
    ) => {
      const org = orgOfSource.get(source) ?? null;
      return record(...releaseStream(name, { source, org, ...others }, given));
    },
    org: step((name) => `org-${orgIdOf(name)}`, 'Org'),
    product: step((name) => `product-${productIdOf(name)}`, 'Product'),
    source: step((name) => `source-${sourceIdOf(name)}`, 'Source'),
  };
};

export type SampleRegistry = Awaited<ReturnType<typeof openSampleRegistry>>;
