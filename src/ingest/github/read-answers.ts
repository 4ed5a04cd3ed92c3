import { z } from 'zod';
import { type ReleaseItem, releaseItem } from '../../domain/release/fields.ts';
import { parsePublishedAt } from '../../kernel/dates.ts';
import { cutText } from '../../kernel/text-rules.ts';

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

const contentCharsMax = 1_000_000;
const titleCharsMax = 300;
const versionCharsMax = 200;

/** What would break stores behind us is replaced, and lines end in one way. */
const cleaned = (dirty: string): string =>
  (dirty as string & { toWellFormed(): string }) // in every supported Node, but not yet in the ES2023 typings
    .toWellFormed()
    .replaceAll('\0', '\ufffd')
    .replace(/\r\n?/g, '\n');

const oneLine = (dirty: string): string =>
  cleaned(dirty)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();

/** An item that the registry takes, whatever a stranger wrote; null when none can be made. */
export function acceptableItem(item: ReleaseItem): ReleaseItem | null {
  const { title, content, version, url, publishedAt, ...rest } = item;
  const isUsable = url != null && releaseItem.shape.url.safeParse(url).success;
  const date = publishedAt == null ? null : parsePublishedAt(publishedAt);
  const parsed = releaseItem.safeParse({
    ...rest,
    title: cutText(oneLine(title), titleCharsMax),
    ...(content !== undefined && { content: cutText(cleaned(content), contentCharsMax) }),
    ...(version != null && { version: cutText(oneLine(version), versionCharsMax) }),
    ...(isUsable && { url }),
    ...(date !== null && { publishedAt: date }),
  });
  return parsed.success ? parsed.data : null;
}

/** A published release, as an item. */
export function readRelease(answer: unknown): ReleaseItem | 'draft' | 'unreadable' {
  const parsed = releaseAnswer.safeParse(answer);
  if (!parsed.success) return 'unreadable';
  const { tag_name: version, name, body, html_url: url, published_at: publishedAt, draft, prerelease } = parsed.data;
  if (draft === true) return 'draft';
  const title = name == null || oneLine(name) === '' ? version : name;
  const item = { title, version, content: body ?? '', url, publishedAt, prerelease: prerelease ?? false };
  return acceptableItem(item) ?? 'unreadable';
}

const taggedAnswer = releaseAnswer.pick({ tag_name: true });

/** Of any release that has one. */
export const tagOf = (answer: unknown): string | null => {
  const parsed = taggedAnswer.safeParse(answer);
  return parsed.success ? cutText(oneLine(parsed.data.tag_name), versionCharsMax) : null;
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
