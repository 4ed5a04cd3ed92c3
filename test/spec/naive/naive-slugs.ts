import type { NaiveRegistry } from './naive-registry.ts';

/**
 * When an entity gave up a slug, under which somebody could see it, for another one, as a place in the list of all; -1 when it
 * never did. What is between two events of one command nobody sees.
 */
const leftAt = ({ slugs }: NaiveRegistry, entityId: string, slug: string): number => {
  const own = slugs.flatMap((taken, place) => (taken.entityId === entityId ? [{ ...taken, place }] : []));
  const afterCommands = own.filter(({ commandId }, index) => own[index + 1]?.commandId !== commandId);
  let isShown = false;
  let left = -1;
  for (const taken of afterCommands) {
    if (isShown && taken.slug !== slug) left = taken.place;
    isShown = taken.slug === slug && (isShown || !taken.hidden);
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
