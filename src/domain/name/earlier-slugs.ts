/** A slug that an entity had until an event changed it: addresses that were given out still lead to it. */
export interface EarlierSlug {
  readonly slug: string;
  /** Position of that event: of several that had the slug, the one that had it last is meant. */
  readonly leftAt: number;
}

/** A document must not grow with every rename; a slug has at most 64 characters. */
const earlierSlugsMax = 16;

export interface SlugHistory {
  readonly slug: string;
  /** The latest first; never the one that it has now. */
  readonly earlierSlugs: readonly EarlierSlug[];
}

export const earlierSlugsAfter = (
  { slug: before, earlierSlugs }: SlugHistory,
  now: string,
  position: number,
): readonly EarlierSlug[] => {
  if (before === now) return earlierSlugs;
  const others = earlierSlugs.filter(({ slug }) => slug !== now && slug !== before);
  return [{ slug: before, leftAt: position }, ...others].slice(0, earlierSlugsMax);
};

/** Of those that once had a slug, the one that had it last. */
export const lastToHave = <Doc extends SlugHistory>(docs: readonly Doc[], slug: string): Doc | undefined => {
  const leftAt = (doc: Doc) => doc.earlierSlugs.find((earlier) => earlier.slug === slug)?.leftAt ?? 0;
  return docs.reduce<Doc | undefined>(
    (last, doc) => (last === undefined || leftAt(doc) > leftAt(last) ? doc : last),
    undefined,
  );
};
