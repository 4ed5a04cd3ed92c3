import { cutText } from '../../kernel/text-rules.ts';
import { blocks, containerKinds, dropped } from './html-elements.ts';
import { type ScanOptions, scanMarkup } from './scan-markup.ts';

const markupCharsMax = 20_000;

/** What a reader sees of a title, a name or an alternative text, on one line. */
export function htmlToLine(html: string, options: ScanOptions = { xml: false }): string {
  let line = '';
  let droppedBy: string | null = null;
  const edge = (name: string) => {
    if (name === 'br' || blocks.has(name) || containerKinds.has(name)) line += ' ';
  };
  scanMarkup(cutText(html, markupCharsMax), options, {
    open: ({ name, isClosed }) => {
      if (droppedBy === null && dropped.has(name) && !isClosed) droppedBy = name;
      edge(name);
    },
    close: (name) => {
      if (droppedBy === name) droppedBy = null;
      edge(name);
    },
    text: (text) => {
      if (droppedBy === null) line += text;
    },
  });
  return line.replace(/\s+/g, ' ').trim();
}
