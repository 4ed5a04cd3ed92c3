/** Cuts texts into pieces of words as BERT's "uncased" models know them; `assets/models/` tells the rules in full. */
export interface WordPieces {
  /** The pieces of a text by their numbers, the unknown one for each word that has none; no more than so many. */
  readonly idsOf: (text: string, idsMax: number) => number[];
  readonly unknownId: number;
}

const wordCharsMax = 100;
/** Words come again and again: a text of known ones costs a third. Emptied when full, so hostile words cost no memory. */
const knownWordsMax = 20_000;

const asciiOnly = /^[\0-\x7f]*$/;
const controls = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/g;
const asciiWord = /[!-/:-@[-`{-~]|[^\s!-/:-@[-`{-~]+/g;

/** Neither tab, line feed nor carriage return, which separate words. */
const unprintable = /(?![\t\n\r])[\ufffd\p{C}]/gu;
const ideograph =
  /[\u4e00-\u9fff\u3400-\u4dbf\u{20000}-\u{2a6df}\u{2a700}-\u{2b73f}\u{2b740}-\u{2b81f}\u{2b920}-\u{2ceaf}\uf900-\ufaff\u{2f800}-\u{2fa1f}]/gu;
const accent = /\p{Mn}/gu;
/** What ASCII has between letters and digits counts as punctuation here, `$` and `+` too. */
const anyWord = /[!-/:-@[-`{-~\p{P}]|[^\s!-/:-@[-`{-~\p{P}]+/gu;

const plainAscii = (text: string): string => text.replace(controls, '').toLowerCase();

const plainText = (text: string): string =>
  text.replace(unprintable, '').replace(ideograph, ' $& ').normalize('NFD').replace(accent, '').toLowerCase();

/** One piece a line; the line's number, from 0, is the piece's. Those that go on within a word begin with `##`. */
export function createWordPieces(vocabulary: string): WordPieces {
  const beginnings = new Map<string, number>();
  const continuations = new Map<string, number>();
  let pieceUnitsMax = 0;
  for (const [id, line] of vocabulary.trimEnd().split('\n').entries()) {
    const piece = line.startsWith('##') && line.length > 2 ? line.slice(2) : line;
    (piece === line ? beginnings : continuations).set(piece, id);
    pieceUnitsMax = Math.max(pieceUnitsMax, piece.length);
  }
  const unknownId = beginnings.get('[UNK]');
  if (unknownId === undefined) throw new Error('The vocabulary has no piece for unknown words.');
  const unknownWord = [unknownId];
  const knownWords = new Map<string, readonly number[]>();

  const isTooLong = (word: string): boolean =>
    word.length > wordCharsMax && (word.length > 2 * wordCharsMax || [...word].length > wordCharsMax);

  /** The longest piece each time. A word of which some part is no piece is unknown as a whole. */
  function piecesOf(word: string): readonly number[] {
    if (isTooLong(word)) return unknownWord;
    const ids: number[] = [];
    for (let start = 0; start < word.length; ) {
      const pieces = start === 0 ? beginnings : continuations;
      let end = Math.min(word.length, start + pieceUnitsMax);
      let id = pieces.get(word.slice(start, end));
      while (id === undefined && end > start + 1) {
        end -= 1;
        id = pieces.get(word.slice(start, end));
      }
      if (id === undefined) return unknownWord;
      ids.push(id);
      start = end;
    }
    return ids;
  }

  function keptPiecesOf(word: string): readonly number[] {
    const kept = knownWords.get(word);
    if (kept !== undefined) return kept;
    const ids = piecesOf(word);
    if (knownWords.size >= knownWordsMax) knownWords.clear();
    knownWords.set(word, ids);
    return ids;
  }

  return {
    unknownId,
    idsOf: (text, idsMax) => {
      const isAscii = asciiOnly.test(text);
      const ids: number[] = [];
      for (const [word] of (isAscii ? plainAscii(text) : plainText(text)).matchAll(isAscii ? asciiWord : anyWord)) {
        for (const id of keptPiecesOf(word)) ids.push(id);
        if (ids.length >= idsMax) return ids.slice(0, idsMax);
      }
      return ids;
    },
  };
}
