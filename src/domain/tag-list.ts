import { z } from 'zod';
import { DomainError } from '../kernel/errors.ts';
import { lineText } from '../kernel/text-rules.ts';
import { alphabeticalSet } from './alphabetical.ts';
import { changedFields } from './changed-fields.ts';

const tagsMax = 50;

/** Names that differ only in case are of one tag. */
export const tagKeyOf = (name: string): string => name.toLowerCase();

export const sameTag = (a: string, b: string): boolean => tagKeyOf(a) === tagKeyOf(b);

/** Tags that differ only in case are one: the first spelling stays. */
const distinctTags = (tags: readonly string[]): string[] => {
  const bySpelling = new Map<string, string>();
  for (const tag of tags) if (!bySpelling.has(tagKeyOf(tag))) bySpelling.set(tagKeyOf(tag), tag);
  return alphabeticalSet([...bySpelling.values()]);
};

export const tagName = lineText(1, 60);

export const tagList = z.array(tagName).max(tagsMax).overwrite(distinctTags);

/** All tags anew, some more, or one less. */
export const tagChanges = z.union([
  z.strictObject({ replace: tagList }),
  z.strictObject({ add: tagList }),
  z.strictObject({ remove: z.string() }),
]);
export type TagChanges = z.output<typeof tagChanges>;

const tagsAfter = (tags: readonly string[], changes: TagChanges): readonly string[] => {
  if ('replace' in changes) return changes.replace;
  if ('add' in changes) return distinctTags([...tags, ...changes.add]);
  const removed = tagName.safeParse(changes.remove); // what cannot be a tag is none of them
  return removed.success ? tags.filter((tag) => !sameTag(tag, removed.data)) : tags;
};

/** The tags that are there afterwards; null when they are the same as before. */
export function changedTags(tags: readonly string[], changes: TagChanges): readonly string[] | null {
  const after = tagsAfter(tags, changes);
  if (after.length > tagsMax) {
    const message = `would make ${after.length} tags; ${tagsMax} are the most`;
    throw new DomainError('validation_failed', { issues: [{ path: 'tags', message }] });
  }
  return changedFields<{ tags: readonly string[] }>({ tags }, { tags: after })?.tags ?? null;
}
