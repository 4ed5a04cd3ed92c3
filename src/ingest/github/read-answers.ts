import { z } from 'zod';
import type { ReleaseItem } from '../../domain/release/fields.ts';
import { acceptableItem } from '../acceptable-item.ts';
import { cutText } from '../../kernel/text-rules.ts';
import { cleanedLine } from '../clean-text.ts';

/** Of a repository. What else there is, is left alone. */
export const repositoryAnswer = z.object({
  full_name: z.string().regex(/^[A-Za-z0-9._-]{1,100}\/[A-Za-z0-9._-]{1,100}$/),
  private: z.boolean().default(false),
  stargazers_count: z.int().min(0).nullable().catch(null),
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

const tagCharsMax = 200;
const taggedAnswer = releaseAnswer.pick({ tag_name: true });

/** Of any release that has one. */
export const tagOf = (answer: unknown): string | null => {
  const parsed = taggedAnswer.safeParse(answer);
  return parsed.success ? cutText(cleanedLine(parsed.data.tag_name), tagCharsMax) : null;
};

/** The address of the next page, as a Link header names it. */
export function nextPage(link: string | undefined): string | null {
  for (const [, url = '', parameters = ''] of (link ?? '').matchAll(/<([^<>]*)>([^<]*)/g)) {
    if (/;\s*rel="?next"?/i.test(parameters)) return url;
  }
  return null;
}

const entryAnswer = z.object({ name: z.string(), type: z.literal('file') });

/** The files in the list of a folder. */
export const fileNames = (folder: readonly unknown[]): string[] =>
  folder.flatMap((answer) => {
    const parsed = entryAnswer.safeParse(answer);
    return parsed.success ? [parsed.data.name] : [];
  });

/** All files and folders of a repository. */
export const treeAnswer = z.object({ tree: z.array(z.object({ path: z.string(), type: z.string() })) });
