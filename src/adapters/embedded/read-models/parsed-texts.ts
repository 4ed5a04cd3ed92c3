/** Longer texts are seldom asked for twice, and would take the place of many. */
const textCharsMax = 4_096;
const turnMs = 30_000;

/**
 * Parses JSON, and gives for a text that it has met lately what it made of it then: the rows at the head of a feed are
 * asked for again and again. The text is all that it goes by, so nothing can be out of date, and whoever gets a document
 * shares it. Twice `charsMax` are kept at most, and nothing that nobody has asked for in a minute: what was erased must not
 * stay in memory.
 */
export function createParsedTexts<Doc extends object>(charsMax: number): (text: string) => Doc {
  let young = new Map<string, Doc>();
  let old = new Map<string, Doc>();
  let youngChars = 0;
  let turn: NodeJS.Timeout | null = null;

  const growOld = (): void => {
    old = young;
    young = new Map();
    youngChars = 0;
  };

  const turnOver = (): void => {
    growOld();
    turn = null;
    if (old.size > 0) turnLater();
  };

  const turnLater = (): void => {
    turn = setTimeout(turnOver, turnMs).unref();
  };

  const keep = (text: string, doc: Doc): void => {
    if (youngChars + text.length > charsMax) growOld();
    young.set(text, doc);
    youngChars += text.length;
    if (turn === null) turnLater();
  };

  return (text) => {
    const known = young.get(text);
    if (known !== undefined) return known;
    const doc = old.get(text) ?? (JSON.parse(text) as Doc);
    if (text.length <= textCharsMax) keep(text, doc);
    return doc;
  };
}
