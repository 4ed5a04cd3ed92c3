import type { NaiveRegistry } from './naive-registry.ts';

/** When an entity gave up a slug for another one, as a place in the list of all; -1 when it never did. */
const leftAt = ({ slugs }: NaiveRegistry, entityId: string, slug: string): number => {
  let held: string | null = null;
  let left = -1;
  for (const [place, taken] of slugs.entries()) {
    if (taken.entityId !== entityId) continue;
    if (held === slug && taken.slug !== slug) left = place;
    held = taken.slug;
  }
  return left;
};

/** Of these, the one that had a slug last and has another one now. */
export const lastToLeave = <Row extends { readonly id: string; readonly slug: string }>(
  registry: NaiveRegistry,
  rows: readonly Row[],
  slug: string,
): Row | undefined => {
  const once = rows.filter((row) => row.slug !== slug && leftAt(registry, row.id, slug) >= 0);
  return once.sort((a, b) => leftAt(registry, b.id, slug) - leftAt(registry, a.id, slug))[0];
};
