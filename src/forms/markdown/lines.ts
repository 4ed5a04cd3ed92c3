/** A line of a text, or what of it comes behind the mark of a list item. */
export interface Line {
  readonly text: string;
  /** Where its words begin and where they end; the same in an empty line. */
  readonly from: number;
  readonly end: number;
  /** The column that its words begin at: a tab goes on to the next fourth one. */
  readonly column: number;
}

const [tab, lineFeed, carriageReturn, blank] = [9, 10, 13, 32];

export const isBlankAt = ({ text, end }: Line, at: number): boolean => {
  if (at >= end) return true;
  const code = text.charCodeAt(at);
  return code === blank || code === tab;
};

/** Without its blanks from there on, where a column is known. */
export const unindented = (text: string, at: number, end: number, from: number): Line => {
  let [first, column] = [at, from];
  for (; first < end; first += 1) {
    const code = text.charCodeAt(first);
    if (code === blank) column += 1;
    else if (code === tab) column += 4 - (column % 4);
    else break;
  }
  return { text, from: first, end, column };
};

/** Line by line. A text may have half a million, so none is cut out of it. */
export const forEachLine = (text: string, read: (line: Line) => void): void => {
  const { length } = text;
  for (let at = 0; at < length; at += 1) {
    let end = at;
    for (; end < length; end += 1) {
      const code = text.charCodeAt(end);
      if (code === lineFeed || code === carriageReturn) break;
    }
    read(unindented(text, at, end, 0));
    at = text.charCodeAt(end) === carriageReturn && text.charCodeAt(end + 1) === lineFeed ? end + 1 : end;
  }
};
