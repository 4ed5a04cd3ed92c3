import type { ReleaseItem } from '../../domain/release/fields.ts';
import { acceptableItem } from '../acceptable-item.ts';
import { changelogEntries, itemOfEntry } from '../changelog/changelog-entries.ts';
import { firstItems, type ItemBounds, olderLeftOut } from '../first-items.ts';
import type { LeftOutEntry } from '../source-fetcher.ts';

export interface ChangelogItems {
  readonly items: readonly ReleaseItem[];
  /** That no item could be made of. */
  readonly leftOut: readonly LeftOutEntry[];
  /** What is behind the bounds. */
  readonly older: readonly LeftOutEntry[];
}

/** What a changelog file tells, for a repository without releases. */
export function changelogItems(text: string, bounds: ItemBounds): ChangelogItems {
  const all = changelogEntries(text);
  const entries = all.slice(0, bounds.itemsMax);
  const items = entries.map((entry) => acceptableItem(itemOfEntry(entry)));
  const accepted = items.filter((item) => item !== null);
  const first = firstItems(accepted, bounds);
  return {
    items: first,
    older: olderLeftOut(all.length - entries.length + accepted.length - first.length),
    leftOut: entries
      .filter((_, index) => items[index] === null)
      .map(({ title }) => ({ entry: title, reason: 'No release can be made of this entry of the changelog.' })),
  };
}
