import { hyphenated } from '../../kernel/slugs.ts';
import type { EffectiveCard } from './effective.ts';

const slugCharsMax = 80;

const cutAtHyphen = (slug: string): string => {
  if (slug.length <= slugCharsMax) return slug;
  const hyphen = slug.lastIndexOf('-', slugCharsMax);
  return slug.slice(0, hyphen > 0 ? hyphen : slugCharsMax);
};

type NamedRelease = Pick<EffectiveCard, 'titleShort' | 'titleGenerated' | 'title' | 'version'>;

/** The page of a release: its id, and words for people to read where there are any. */
export const releaseWebPath = (id: string, { titleShort, titleGenerated, title, version }: NamedRelease): string => {
  for (const text of [titleShort, titleGenerated, title, version]) {
    const slug = hyphenated(text ?? '');
    if (slug !== '') return `/release/${id}-${cutAtHyphen(slug)}`;
  }
  return `/release/${id}`;
};
