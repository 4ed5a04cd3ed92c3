import { z } from 'zod';
import type { ReleaseItem } from '../../domain/release/fields.ts';
import { acceptableItem } from '../acceptable-item.ts';
import { cleanedLine } from '../clean-text.ts';

/** Of a repository. What else there is, is left alone. */
export const repositoryAnswer = z.object({
  full_name: z.string().regex(/^[A-Za-z0-9._-]{1,100}\/[A-Za-z0-9._-]{1,100}$/),
  private: z.boolean().default(false),
});

const optionalText = z.string().nullish();

const releaseAnswer = z.object({
  tag_name: z.string(),
  name: optionalText,
  body: optionalText,
  html_url: optionalText,
  published_at: optionalText,
  draft: z.boolean().nullish(),
  prerelease: z.boolean().nullish(),
});

/** A published release, as an item. */
export function readRelease(answer: unknown): ReleaseItem | 'draft' | 'unreadable' {
  const parsed = releaseAnswer.safeParse(answer);
  if (!parsed.success) return 'unreadable';
  const { tag_name: version, name, body, html_url: url, published_at: publishedAt, draft, prerelease } = parsed.data;
  if (draft === true) return 'draft';
  const title = name == null || cleanedLine(name) === '' ? version : name;
  const item = { title, version, content: body ?? '', url, publishedAt, prerelease: prerelease ?? false };
  return acceptableItem(item) ?? 'unreadable';
}

/** The address of the next page, as a Link header names it. */
export function nextPage(link: string | undefined): string | null {
  for (const [, url = '', parameters = ''] of (link ?? '').matchAll(/<([^<>]*)>([^<]*)/g)) {
    if (/;\s*rel="?next"?/i.test(parameters)) return url;
  }
  return null;
}

const entryAnswer = z.object({ name: z.string(), type: z.string() });

/** In the order in which they are preferred (contract 5.4). */
const changelogNames = ['changelog.md', 'changes.md', 'history.md', 'releases.md', 'news.md'];

/** The name of the changelog in a folder, as it is spelled there; null when it has none. */
export function changelogIn(folder: readonly unknown[]): string | null {
  const files = folder.flatMap((answer) => {
    const parsed = entryAnswer.safeParse(answer);
    return parsed.success && parsed.data.type === 'file' ? [parsed.data.name] : [];
  });
  for (const wanted of changelogNames) {
    const found = files.find((name) => name.toLowerCase() === wanted);
    if (found !== undefined) return found;
  }
  return null;
}
