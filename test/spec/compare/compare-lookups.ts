import { lookupsProjection } from '../../../projections/lookups/lookups.ts';
import type { NaiveRegistry } from '../naive/naive-registry.ts';
import { type Comparison, same } from './comparison.ts';

/** Every slug that an entity has or once had, and the domains, packages and repositories that it has; none of what is purged. */
const naiveLookups = ({ slugs, ...registry }: NaiveRegistry): string[] => {
  const isThere = ({ purged }: { readonly purged: boolean }) => !purged;
  const orgs = registry.orgs.filter(isThere);
  const products = registry.products.filter(isThere);
  const sources = registry.sources.filter(isThere);
  const bySlug = (kind: string, rows: readonly { readonly id: string; readonly slug: string }[]): string[] =>
    rows.flatMap(({ id, slug }) =>
      slugs
        .filter(({ entityId }) => entityId === id)
        .map((taken) => `${kind} ${taken.slug} of ${id}: ${taken.slug === slug ? 1 : 0}`),
    );
  const byDomain = orgs.flatMap(({ id, domain, aliases }) =>
    [domain, ...aliases].filter((name) => name !== null).map((name) => `org-domain ${name} of ${id}: 1`),
  );
  const byPackage = sources.flatMap(({ id, packages }) =>
    packages.map(({ ecosystem, name }) => `package ${ecosystem}:${name.toLowerCase()} of ${id}: 1`),
  );
  const byRepository = sources
    .filter(({ url }) => url.startsWith('https://github.com/'))
    .map(({ id, url }) => `coordinate ${url.slice('https://github.com/'.length)} of ${id}: 1`);
  const rows = [
    ...bySlug('org-slug', orgs),
    ...bySlug('product-slug', products),
    ...bySlug('source-slug', sources),
    ...byDomain,
    ...byPackage,
    ...byRepository,
  ];
  return [...new Set(rows)].sort();
};

/** The ways to find an entity, also those that lead on from a slug that it gave up. */
export const compareLookups = async ({ reading, view }: Comparison): Promise<void> => {
  const rows = (await reading.models.of(lookupsProjection).scan('', 10_000)).map(({ doc }) => doc);
  const found = rows.map(({ kind, key, entityId, current }) => `${kind} ${key} of ${entityId}: ${current}`);
  same('lookups', naiveLookups(view.registry), found.sort());
};
