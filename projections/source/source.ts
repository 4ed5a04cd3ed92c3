import {
  firstSlug,
  type ShownSlugHistory,
  slugChanged,
  slugHidden,
  slugUnhidden,
} from '../../src/domain/name/earlier-slugs.ts';
import type { SourceEvent, SourceFields } from '../../src/domain/source/events.ts';
import { nameKeyOf } from '../../src/domain/name-key.ts';
import { defineProjection, makesOne, one } from '../../src/kernel/projection.ts';

/** Whether its slugs were shown is told by what hid the source itself: its fold does not know when its org was hidden. */
export interface SourceDocument extends SourceFields, ShownSlugHistory {
  readonly id: string;
  readonly nameKey: string;
  readonly orgId: string | null;
  readonly createdAt: string;
  /** By product, or '' without one: the position of the last event that asked for it to be the primary source there. */
  readonly primaryAsks: Readonly<Record<string, number>>;
  readonly hidden: boolean;
  readonly deletedAt: string | null;
}

type PrimaryAsks = SourceDocument['primaryAsks'];

/** Who says later that it is not the primary source has cleared the others all the same. */
const asksAfter = (
  before: PrimaryAsks,
  { isPrimary, productId }: { readonly isPrimary: boolean | undefined; readonly productId: string | null },
  position: number,
): PrimaryAsks => (isPrimary ? { ...before, [productId ?? '']: position } : before);

/** Every source that ever was: a deleted one keeps its document until it is purged. */
export const sourceProjection = defineProjection<SourceDocument, SourceEvent>({
  name: 'source',
  generation: 5,
  indexes: { byOrg: ['orgId'] },
  on: {
    'SourceCreated.v1': makesOne(({ data, stream, position, metadata }) => ({
      id: stream.id,
      nameKey: nameKeyOf(data.name),
      ...data,
      ...firstSlug(metadata),
      primaryAsks: asksAfter({}, data, position),
      hidden: false,
      deletedAt: null,
    })),
    'SourceChanged.v1': one((source, event) => {
      if (source === undefined) return undefined;
      const { changed, isPrimaryWithoutProduct = false } = event.data;
      const next = { ...source, ...changed };
      const asked = { isPrimary: changed.isPrimary, productId: isPrimaryWithoutProduct ? null : next.productId };
      return {
        ...next,
        nameKey: nameKeyOf(next.name),
        ...slugChanged(source, next.slug, event),
        primaryAsks: asksAfter(source.primaryAsks, asked, event.position),
      };
    }),
    'SourceHidden.v1': one(
      (source, { metadata }) => source && { ...source, ...slugHidden(source, metadata), hidden: true },
    ),
    'SourceUnhidden.v1': one((source) => source && { ...source, ...slugUnhidden(source), hidden: false }),
    'SourceDeleted.v1': one((source, { data }) => source && { ...source, deletedAt: data.deletedAt }),
    'SourceRestored.v1': one((source) => source && { ...source, deletedAt: null }),
    'SourcePurged.v1': one((source) => source && null),
  },
});
