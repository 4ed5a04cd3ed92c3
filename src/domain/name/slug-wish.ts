import type { NameWish } from '../../kernel/command.ts';
import { DomainError } from '../../kernel/errors.ts';
import { isReservedSlug, slugCandidates, type SluggedEntity } from '../../kernel/slugs.ts';

type SlugStream = (slug: string) => string;

const wishFor = (slugs: readonly string[], streamOfSlug: SlugStream): NameWish => ({
  field: 'slug',
  candidates: slugs.map((slug) => ({ value: slug, stream: streamOfSlug(slug) })),
});

/** A slug that somebody asked for: that one or none. */
function explicitSlugWish(entity: SluggedEntity, slug: string, streamOfSlug: SlugStream): NameWish {
  if (isReservedSlug(entity, slug)) throw new DomainError('slug_reserved', { slug });
  return wishFor([slug], streamOfSlug);
}

/** A slug made from a name: the first of `name`, `name-2` … that is neither reserved nor taken. */
const generatedSlugWish = (entity: SluggedEntity, name: string, streamOfSlug: SlugStream): NameWish =>
  wishFor(
    slugCandidates(name).filter((slug) => !isReservedSlug(entity, slug)),
    streamOfSlug,
  );

/** A slug that the entity has; it stays valid even if the word was reserved later. */
export const heldSlugWish = (slug: string, streamOfSlug: SlugStream): NameWish => wishFor([slug], streamOfSlug);

export const newSlugWish = (
  entity: SluggedEntity,
  wanted: string | undefined,
  name: string,
  streamOfSlug: SlugStream,
): NameWish =>
  wanted === undefined ? generatedSlugWish(entity, name, streamOfSlug) : explicitSlugWish(entity, wanted, streamOfSlug);

export const changedSlugWish = (
  entity: SluggedEntity,
  held: string,
  wanted: string | undefined,
  streamOfSlug: SlugStream,
): NameWish =>
  wanted === undefined || wanted === held
    ? heldSlugWish(held, streamOfSlug)
    : explicitSlugWish(entity, wanted, streamOfSlug);

/** The slug that was free when the names were planned. */
export function chosenSlug(names: Readonly<Record<string, string>>): string {
  if (names.slug === undefined) throw new Error('decided without a slug: the command must wish for one');
  return names.slug;
}
