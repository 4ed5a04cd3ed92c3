import { blockBegunBy, couldBeginBlock, type EndlessBlock, listMarkOf } from './block-begins.ts';
import { forEachLine, type Line, unindented } from './lines.ts';

interface OpenBlock {
  readonly block: EndlessBlock;
  /** The column that its first line begins at. */
  readonly column: number;
  /** The column that the text of its list item begins at, 0 outside lists: a line that begins before it ends the block. */
  readonly itemColumn: number;
}

/** Four blanks make code of a line. */
const indentMax = 3;

/** Reads line by line, and knows which list items each is in. */
const createBlockReader = () => {
  const itemColumns: number[] = [];
  let open: OpenBlock | null = null;
  let isItemEmpty = false;

  const itemColumn = (): number => itemColumns.at(-1) ?? 0;

  const begin = (first: Line): void => {
    let line = first;
    while (line.column - itemColumn() <= indentMax) {
      const mark = listMarkOf(line);
      if (mark === 0) {
        const block = blockBegunBy(line);
        open = block && { block, column: line.column, itemColumn: itemColumn() };
        return;
      }
      const markEnd = line.column + mark;
      line = unindented(line.text, line.from + mark, line.end, markEnd);
      const isCode = line.column - markEnd > indentMax + 1;
      isItemEmpty = line.from === line.end;
      itemColumns.push(isItemEmpty || isCode ? markEnd + 1 : line.column);
      if (isItemEmpty) return;
    }
  };

  return {
    read: (line: Line): void => {
      const { from, end, column } = line;
      if (from === end) {
        if (isItemEmpty) itemColumns.pop(); // it had one line to begin in
        isItemEmpty = false;
        return;
      }
      isItemEmpty = false;
      if (open !== null && column >= open.itemColumn) {
        const couldEnd = open.block.endsAtAnyIndent || column - open.itemColumn <= indentMax;
        if (couldEnd && open.block.isEndedBy(line)) open = null;
        return;
      }
      open = null;
      while (column < itemColumn()) itemColumns.pop();
      begin(line);
    },
    open: (): OpenBlock | null => open,
  };
};

/**
 * The line that ends a code block, comment or other HTML which a text leaves open, as far in as the block is: elsewhere it
 * would begin another one. Null when nothing is open.
 */
export const missingEndOf = (text: string): string | null => {
  if (!couldBeginBlock.test(text)) return null;
  const reader = createBlockReader();
  forEachLine(text, reader.read);
  const open = reader.open();
  return open && `${' '.repeat(open.column)}${open.block.end}`;
};
