import type { ReleaseItem } from '../../domain/release/fields.ts';
import { acceptableItem } from '../acceptable-item.ts';
import { changelogEntries, itemOfEntry } from '../changelog/changelog-entries.ts';
import { firstItems, type ItemBounds } from '../first-items.ts';
import type { LeftOutEntry } from '../source-fetcher.ts';

export interface ChangelogItems {
  readonly items: readonly ReleaseItem[];
  readonly leftOut: readonly LeftOutEntry[];
}

/** What a changelog file tells, for a repository without releases. */
export function changelogItems(text: string, bounds: ItemBounds): ChangelogItems {
  const entries = changelogEntries(text).slice(0, bounds.itemsMax);
  const items = entries.map((entry) => acceptableItem(itemOfEntry(entry)));
  return {
    items: firstItems(
      items.filter((item) => item !== null),
      bounds,
    ),
    leftOut: entries
      .filter((_, index) => items[index] === null)
      .map(({ title }) => ({ entry: title, reason: 'No release can be made of this entry of the changelog.' })),
  };
}
