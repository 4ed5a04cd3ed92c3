/** A block that goes on until a line ends it, whatever stands between. */
interface OpenBlock {
  /** The column that its first line begins at. */
  readonly column: number;
  /** The column that the text of its list item begins at, 0 outside lists: a line that begins before it ends the block. */
  readonly itemColumn: number;
  readonly end: string;
  readonly isEndedBy: (line: string) => boolean;
}

/** Most lines are none of these, and a text may have half a million lines: their first character tells. */
const couldBegin = /[`~<*+\-\d]/;
const listMark = /^(?:[-*+]|\d{1,9}[.)])(?= |\t|$)/;
const fence = /^(`{3,}|~{3,})(.*)/s;
const comment = { begin: '<!--', end: '-->' } as const;
/** Four blanks make code of a line. */
const indentMax = 3;

const blockBegunBy = (line: string): Pick<OpenBlock, 'end' | 'isEndedBy'> | null => {
  if (line.startsWith(comment.begin)) {
    const isEndedBy = (other: string) => other.includes(comment.end);
    return isEndedBy(line) ? null : { end: comment.end, isEndedBy };
  }
  const [, marks, info = ''] = fence.exec(line) ?? [];
  if (marks === undefined || (marks.startsWith('`') && info.includes('`'))) return null;
  return {
    end: marks,
    isEndedBy: (other) => {
      const [, otherMarks = '', rest = ''] = fence.exec(other) ?? [];
      return otherMarks.startsWith(marks) && rest.trim() === '';
    },
  };
};

/** A line without its blanks, and the column that its words begin at. */
interface Line {
  readonly words: string;
  readonly column: number;
}

const unindented = (line: string, from: number): Line => {
  let column = from;
  let at = 0;
  for (; line[at] === ' ' || line[at] === '\t'; at += 1) column += line[at] === ' ' ? 1 : 4 - (column % 4);
  return { words: line.slice(at), column };
};

/** Reads line by line, and knows which list items each is in. */
const createBlockReader = () => {
  const itemColumns: number[] = [];
  let open: OpenBlock | null = null;
  let isItemEmpty = false;

  const itemColumn = (): number => itemColumns.at(-1) ?? 0;

  const begin = (line: Line): void => {
    let { words, column } = line;
    while (couldBegin.test(words[0] ?? '') && column - itemColumn() <= indentMax) {
      const [mark] = listMark.exec(words) ?? [];
      if (mark === undefined) {
        const begun = blockBegunBy(words);
        open = begun && { ...begun, column, itemColumn: itemColumn() };
        return;
      }
      const markEnd = column + mark.length;
      ({ words, column } = unindented(words.slice(mark.length), markEnd));
      const isCode = column - markEnd > indentMax + 1;
      isItemEmpty = words === '';
      itemColumns.push(isItemEmpty || isCode ? markEnd + 1 : column);
    }
  };

  return {
    read: (line: string): void => {
      const { words, column } = unindented(line, 0);
      if (words === '') {
        if (isItemEmpty) itemColumns.pop(); // it had one line to begin in
        isItemEmpty = false;
        return;
      }
      isItemEmpty = false;
      if (open !== null && column >= open.itemColumn) {
        const couldEnd = open.end === comment.end || column - open.itemColumn <= indentMax;
        if (couldEnd && open.isEndedBy(words)) open = null;
        return;
      }
      open = null;
      while (column < itemColumn()) itemColumns.pop();
      begin({ words, column });
    },
    open: (): OpenBlock | null => open,
  };
};

/**
 * The line that ends a code block or comment which a text leaves open, as far in as the block is: elsewhere it would begin
 * another one. Null when nothing is open.
 */
export const missingEndOf = (text: string): string | null => {
  if (!/```|~~~|<!--/.test(text)) return null;
  const reader = createBlockReader();
  for (const line of text.split(/\r\n?|\n/)) reader.read(line);
  const open = reader.open();
  return open && `${' '.repeat(open.column)}${open.end}`;
};
