import type { OrgChanged, OrgCreated, OrgFields, OrgPurged } from '../../src/domain/org/events.ts';
import type { ProductCreated, ProductPurged } from '../../src/domain/product/events.ts';
import type { SourceChanged, SourceCreated, SourceFields, SourcePurged } from '../../src/domain/source/events.ts';
import { githubCoordinate } from '../../src/domain/source/github-coordinate.ts';
import { packageKey } from '../../src/domain/source/packages.ts';
import {
  type Change,
  defineProjection,
  deleteWhere,
  type FoldEntry,
  patchWhere,
  put,
} from '../../src/kernel/projection.ts';

type LookupKind = 'org-slug' | 'org-domain' | 'product-slug' | 'source-slug' | 'package' | 'coordinate';

/**
 * One way to find an entity: by a slug it has or once had, a domain, a package name, a repository. Whether the entity
 * is visible is decided by the reader; names of deleted entities are free, so a key may have several rows.
 */
export interface LookupRow {
  readonly id: string;
  readonly kind: LookupKind;
  readonly key: string;
  /** The field of the entity that says so; a change of the field replaces its rows. */
  readonly field: 'slug' | 'domain' | 'aliases' | 'packages' | 'url' | 'metadata';
  readonly entityId: string;
  /** 0 for a slug that was given up: it leads on to where the entity is now. */
  readonly current: 0 | 1;
}

type PurgeEvent = OrgPurged | ProductPurged | SourcePurged;
type LookupEvent = OrgCreated | OrgChanged | ProductCreated | SourceCreated | SourceChanged | PurgeEvent;

type Key = Pick<LookupRow, 'kind' | 'key' | 'field'>;

const rows = (entityId: string, keys: readonly Key[]): Change<LookupRow>[] =>
  keys.map((key) => put({ id: `${key.kind}:${key.key}:${key.field}:${entityId}`, ...key, entityId, current: 1 }));

const orgKeys = ({ slug, domain, aliases }: Partial<OrgFields>): Key[] => {
  const keys: Key[] = [];
  if (slug !== undefined) keys.push({ kind: 'org-slug', key: slug, field: 'slug' });
  if (domain != null) keys.push({ kind: 'org-domain', key: domain, field: 'domain' });
  for (const alias of aliases ?? []) keys.push({ kind: 'org-domain', key: alias, field: 'aliases' });
  return keys;
};

const coordinateKeys = (url: unknown, field: 'url' | 'metadata'): Key[] => {
  const coordinate = typeof url === 'string' ? githubCoordinate(url) : null;
  return coordinate === null ? [] : [{ kind: 'coordinate', key: coordinate.toLowerCase(), field }];
};

const sourceKeys = ({ slug, packages, url, metadata }: Partial<SourceFields>): Key[] => [
  ...(slug === undefined ? [] : [{ kind: 'source-slug', key: slug, field: 'slug' } as const]),
  ...(packages ?? []).map((ref): Key => ({ kind: 'package', key: packageKey(ref), field: 'packages' })),
  ...coordinateKeys(url, 'url'),
  ...coordinateKeys(metadata?.['githubUrl'], 'metadata'),
];

// Only a slug leaves a trace: links to it must go on working.
const replaced = (
  entityId: string,
  changed: Partial<OrgFields & SourceFields>,
  fields: readonly LookupRow['field'][],
): Change<LookupRow>[] =>
  fields
    .filter((field) => changed[field] !== undefined)
    .map((field) =>
      field === 'slug'
        ? patchWhere<LookupRow>('byEntity', { entityId, field }, { current: 0 })
        : deleteWhere('byEntity', { entityId, field }),
    );

/** An entry that needs no document: the rows follow from the event alone. */
const write = <E extends LookupEvent>(
  changes: (id: string, data: E['data']) => readonly Change<LookupRow>[],
): FoldEntry<LookupRow, E> => ({ load: () => [], fold: (_, { stream, data }) => changes(stream.id, data) });

/** Nothing leads to what is gone, not even a slug that it once had. */
const purged = write<PurgeEvent>((entityId) => [deleteWhere('byEntity', { entityId })]);

export const lookupsProjection = defineProjection<LookupRow, LookupEvent>({
  name: 'lookups',
  generation: 2,
  indexes: { byKey: ['kind', 'key'], byEntity: ['entityId', 'field'] },
  patchIndexes: ['byEntity'],
  on: {
    'OrgCreated.v1': write((id, data) => rows(id, orgKeys(data))),
    'OrgChanged.v1': write((id, { changed }) => [
      ...replaced(id, changed, ['slug', 'domain', 'aliases']),
      ...rows(id, orgKeys(changed)),
    ]),
    'ProductCreated.v1': write((id, { slug }) => rows(id, [{ kind: 'product-slug', key: slug, field: 'slug' }])),
    'SourceCreated.v1': write((id, data) => rows(id, sourceKeys(data))),
    'SourceChanged.v1': write((id, { changed }) => [
      ...replaced(id, changed, ['slug', 'packages', 'url', 'metadata']),
      ...rows(id, sourceKeys(changed)),
    ]),
    'OrgPurged.v1': purged,
    'ProductPurged.v1': purged,
    'SourcePurged.v1': purged,
  },
});
