import type { ParsedFeed } from '../forms/parse-atom.ts';
import { naiveItem } from './naive-answers.ts';
import type { NaiveRelease } from './naive-registry.ts';
import type { NaiveView } from './naive-view.ts';

/** Longer texts are cut behind a line. */
const contentCharsMax = 10_000;

const wordsOf = (text: string): readonly string[] => text.match(/[\p{L}\p{N}]+/gu) ?? [];

/** Of HTML: what marks up and what escapes is no word. */
const wordsOfHtml = (html: string): readonly string[] => wordsOf(html.replaceAll(/<[^>]*>|&#?\w+;/g, ' '));

const wordsToShow = ({ content }: NaiveRelease, summary: string): readonly string[] => {
  if (content.trim() === '') return wordsOf(summary);
  if (content.length <= contentCharsMax) return wordsOf(content);
  const beginning = content.slice(0, contentCharsMax);
  return wordsOf(beginning.slice(0, beginning.lastIndexOf('\n')));
};

const later = (a: string, b: string): string => (Date.parse(a) >= Date.parse(b) ? a : b);

const entryOf = (view: NaiveView, release: NaiveRelease) => {
  const { id, webUrl, summary, org, source, version, ...item } = naiveItem(view, release);
  const title = item.titleShort ?? item.titleGenerated ?? item.title;
  const published = item.publishedAt ?? item.fetchedAt;
  return {
    id: `tag:registry.example,2026:${id}`,
    title: version === null || title.includes(version) ? title : `${title} (${version})`,
    alternate: webUrl,
    published,
    updated: later(published, release.revisedAt),
    author: org?.name ?? source.name,
    category: source.name,
    summary,
    words: wordsToShow(release, summary),
  };
};

/** Contract 16.2, of an entity by this name; without its own address and what it says of its age. */
export const naiveAtom = (view: NaiveView, name: string, newest: readonly NaiveRelease[]) => {
  const entries = newest.map((release) => entryOf(view, release));
  const [first, ...others] = entries.map(({ updated }) => updated);
  return {
    title: `${name} releases`,
    ...(first !== undefined && { updated: others.reduce(later, first) }),
    entries,
  };
};

/** As much of a feed as is compared: how its texts are marked up is a matter of the tests of the form. */
export const comparableAtom = ({ title, updated, entries }: ParsedFeed) => ({
  title,
  ...(entries.length > 0 && { updated }),
  entries: entries.map(({ content, ...entry }) => ({ ...entry, words: wordsOfHtml(content) })),
});
