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
  /** The latest first. */
  readonly earlierSlugs: readonly EarlierSlug[];
}

const withLeft = ({ slug, earlierSlugs }: SlugHistory, position: number): readonly EarlierSlug[] =>
  [{ slug, leftAt: position }, ...earlierSlugs.filter((earlier) => earlier.slug !== slug)].slice(0, earlierSlugsMax);

/** Of what is never hidden. The slug that it has is not among them. */
export const earlierSlugsAfter = (before: SlugHistory, now: string, position: number): readonly EarlierSlug[] =>
  before.slug === now ? before.earlierSlugs : withLeft(before, position).filter(({ slug }) => slug !== now);

/**
 * Of what may be hidden: a slug is remembered only if anybody could have seen it, else who guesses a name that was used in
 * hiding would be led to what it became. One that was taken back stays among the earlier ones: it may be hidden and given
 * up again before anybody sees it there.
 */
export interface ShownSlugHistory extends SlugHistory {
  /** By which command it has the slug, and whether it was to be seen under it since. */
  readonly slugTaken: { readonly commandId: string; readonly isShown: boolean };
}

/** What is created hidden is hidden by the next event of the same command. */
export const firstSlug = ({ commandId }: { readonly commandId: string }): Omit<ShownSlugHistory, 'slug'> => ({
  earlierSlugs: [],
  slugTaken: { commandId, isShown: true },
});

export const slugChanged = (
  before: ShownSlugHistory & { readonly hidden: boolean },
  now: string,
  {
    position,
    metadata: { commandId },
  }: { readonly position: number; readonly metadata: { readonly commandId: string } },
): Omit<ShownSlugHistory, 'slug'> => {
  const { earlierSlugs, slugTaken } = before;
  if (before.slug === now) return { earlierSlugs, slugTaken };
  return {
    earlierSlugs: slugTaken.isShown ? withLeft(before, position) : earlierSlugs,
    slugTaken: { commandId, isShown: !before.hidden },
  };
};

/** A slug that the same command gave was never to be seen. */
export const slugHidden = (
  { slugTaken }: Pick<ShownSlugHistory, 'slugTaken'>,
  { commandId }: { readonly commandId: string },
): Pick<ShownSlugHistory, 'slugTaken'> =>
  slugTaken.commandId === commandId ? { slugTaken: { commandId, isShown: false } } : { slugTaken };

export const slugUnhidden = ({
  slugTaken,
}: Pick<ShownSlugHistory, 'slugTaken'>): Pick<ShownSlugHistory, 'slugTaken'> => ({
  slugTaken: { ...slugTaken, isShown: true },
});

/** Of those that once had a slug, the one that had it last. */
export const lastToHave = <Doc extends SlugHistory>(docs: readonly Doc[], slug: string): Doc | undefined => {
  const leftAt = (doc: Doc) => doc.earlierSlugs.find((earlier) => earlier.slug === slug)?.leftAt ?? 0;
  return docs.reduce<Doc | undefined>(
    (last, doc) => (last === undefined || leftAt(doc) > leftAt(last) ? doc : last),
    undefined,
  );
};
