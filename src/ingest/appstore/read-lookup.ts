import { z } from 'zod';
import type { ReleaseItem } from '../../domain/release/fields.ts';
import { httpUrl } from '../../domain/web-address.ts';
import { acceptableItem } from '../acceptable-item.ts';

const optionalText = z.string().nullish().catch(null);

const appAnswer = z.object({
  version: z.string().min(1),
  releaseNotes: optionalText,
  currentVersionReleaseDate: optionalText,
  artworkUrl512: optionalText,
  artworkUrl100: optionalText,
});

const lookupAnswer = z.object({ results: z.array(z.unknown()) });

export interface FoundApp {
  readonly item: ReleaseItem | null;
  readonly version: string;
  readonly iconUrl: string | null;
}

/**
 * The version that the store has now; `unknown` when it has no such app, null when the answer is none. The address of
 * the app is that of all its versions, so no release has it.
 */
export function readLookup(answer: unknown): FoundApp | 'unknown' | null {
  const lookup = lookupAnswer.safeParse(answer);
  if (!lookup.success) return null;
  const [first] = lookup.data.results;
  if (first === undefined) return 'unknown';
  const app = appAnswer.safeParse(first);
  if (!app.success) return null;
  const { version, releaseNotes, currentVersionReleaseDate: publishedAt, artworkUrl512, artworkUrl100 } = app.data;
  const icon = artworkUrl512 ?? artworkUrl100 ?? '';
  return {
    version,
    item: acceptableItem({ title: version, version, content: releaseNotes ?? '', publishedAt }),
    iconUrl: httpUrl.safeParse(icon).success ? icon : null,
  };
}
