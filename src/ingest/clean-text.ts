/** U+0000 breaks stores behind us, the other control characters only hide: none of them is text. Tabs and line breaks are. */
const controls = /[\x01-\x08\x0b-\x1f\x7f-\x9f]/g;

/** Embeddings, overrides and isolates show a text in another order than it has: "exe.gpj" for "jpg.exe". */
const directionChanges = /[\u202a-\u202e\u2066-\u2069]/g;

/** Marks of direction help where letters run from right to left; elsewhere they can only hide. */
const directionMarks = /[\u200e\u200f\u061c]/g;
const rightToLeft = /[\u0590-\u05ff\u0600-\u061b\u061d-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/** Letters that nobody sees and a machine reads; but flags of regions are spelled with them. */
const invisibleLetters = /(\u{1f3f4}[\u{e0020}-\u{e007e}]{1,8}\u{e007f})|[\u{e0000}-\u{e007f}]/gu;

/** Have no width and join nothing, unlike U+200C and U+200D. */
const widthless = /[\u200b\ufeff\u2060]/g;

// Most texts hold none of it, which one look tells.
const suspicious = /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]|[\u{e0000}-\u{e007f}]/u;

const withoutHidden = (text: string): string => {
  if (!suspicious.test(text)) return text;
  const seen = text
    .replace(directionChanges, '')
    .replace(widthless, '')
    .replace(invisibleLetters, (_, flag: string | undefined) => flag ?? '');
  return rightToLeft.test(seen) ? seen : seen.replace(directionMarks, '');
};

/** What a stranger wrote, without what would break stores behind us or hide something from a reader. Lines end in one way. */
export const cleanedText = (dirty: string): string =>
  withoutHidden(
    (dirty as string & { toWellFormed(): string }) // in every supported Node, but not yet in the ES2023 typings
      .toWellFormed()
      .replaceAll('\0', '\ufffd')
      .replace(/\r\n?/g, '\n')
      .replace(controls, ''),
  );

export const cleanedLine = (dirty: string): string =>
  cleanedText(dirty.replace(/[\s\x01-\x1f\x7f-\x9f]+/g, ' ')).trim();
