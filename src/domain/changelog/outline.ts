import { scanMarkdown } from '../release/derived/outline.ts';
import { encodePage, type Mark, marksPerPage } from './marks.ts';

/**
 * Raise it when other headings are found than before: outlines are kept with the text, and a file that is stored again, though
 * its text is the same, gets a new one. Rule 2 sees code that begins on the line of a list item.
 */
export const outlineRule = 2;

const levelMax = 3;

const isBlank = (char: string): boolean => char === ' ' || char === '\t';

/** Where headings begin that a slice may be cut at: one to three `#` at the start of a line, outside fenced code. */
export const headingStarts = (text: string): number[] => {
  const starts: number[] = [];
  scanMarkdown(text, {
    heading: ({ start, level }) => {
      // An underlined heading has no mark of its own, an indented one does not begin its line.
      const isMarked =
        level <= levelMax && text.startsWith('#'.repeat(level), start) && isBlank(text.charAt(start + level));
      if (isMarked) starts.push(start);
    },
    item: () => {},
  });
  return starts;
};

export interface ChangelogOutline {
  /** As they are stored. */
  readonly pages: readonly string[];
  readonly firsts: readonly Mark[];
  /** Of the whole text. */
  readonly tokens: number;
}

type CountTokens = (texts: readonly string[]) => Promise<readonly number[]>;

/** Made once, when the file is written. Only so many sections as fill a page are in hand at a time. */
export async function outlineOf(text: string, countTokens: CountTokens): Promise<ChangelogOutline> {
  const starts = headingStarts(text);
  const pages: string[] = [];
  const firsts: Mark[] = [];
  let [tokens = 0] = await countTokens([text.slice(0, starts[0] ?? text.length)]);
  for (let from = 0; from < starts.length; from += marksPerPage) {
    const ofPage = starts.slice(from, from + marksPerPage);
    const sections = ofPage.map((start, index) => text.slice(start, starts[from + index + 1] ?? text.length));
    const counts = await countTokens(sections);
    const marks = ofPage.map((at, index): Mark => {
      const mark = { at, tokens };
      tokens += counts[index]!;
      return mark;
    });
    pages.push(encodePage(marks));
    firsts.push(marks[0]!);
  }
  return { pages, firsts, tokens };
}
