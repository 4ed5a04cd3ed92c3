import { type ReleaseItem, releaseItem } from '../domain/release/fields.ts';
import { parsePublishedAt } from '../kernel/dates.ts';
import { cutText } from '../kernel/text-rules.ts';
import { cleanedLine, cleanedText } from './clean-text.ts';

const contentCharsMax = 1_000_000;
const titleCharsMax = 300;
const versionCharsMax = 200;

/** An item that the registry takes, whatever a stranger wrote; null when none can be made. */
export function acceptableItem(item: ReleaseItem): ReleaseItem | null {
  const { title, content, version, url, publishedAt, ...rest } = item;
  const isUsable = url != null && releaseItem.shape.url.safeParse(url).success;
  const date = publishedAt == null ? null : parsePublishedAt(publishedAt);
  const parsed = releaseItem.safeParse({
    ...rest,
    title: cutText(cleanedLine(title), titleCharsMax),
    ...(content !== undefined && { content: cutText(cleanedText(content), contentCharsMax) }),
    ...(version != null && { version: cutText(cleanedLine(version), versionCharsMax) }),
    ...(isUsable && { url }),
    ...(date !== null && { publishedAt: date }),
  });
  return parsed.success ? parsed.data : null;
}
