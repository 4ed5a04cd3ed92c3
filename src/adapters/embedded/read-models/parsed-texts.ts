/** Longer texts are seldom asked for twice, and would take the place of many. */
const textCharsMax = 4_096;

/**
 * Parses JSON, and gives for a text that it has met lately what it made of it then: the rows at the head of a feed are
 * asked for again and again. The text is all that it goes by, so nothing can be out of date, and whoever gets a document
 * shares it. At most twice `charsMax` are kept: when the younger half is full, the older one is given up.
 */
export function createParsedTexts<Doc extends object>(charsMax: number): (text: string) => Doc {
  let young = new Map<string, Doc>();
  let old = new Map<string, Doc>();
  let youngChars = 0;

  const keep = (text: string, doc: Doc): void => {
    if (youngChars + text.length > charsMax) {
      old = young;
      young = new Map();
      youngChars = 0;
    }
    young.set(text, doc);
    youngChars += text.length;
  };

  return (text) => {
    const known = young.get(text);
    if (known !== undefined) return known;
    const doc = old.get(text) ?? (JSON.parse(text) as Doc);
    if (text.length <= textCharsMax) keep(text, doc);
    return doc;
  };
}
