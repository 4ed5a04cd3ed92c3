/** What is written without a blank and stands for one thing: `useTransition`, `@scope/pkg`, `v1.2.3`, `C++`, `--watch`. */
export interface Piece {
  /** In front of its words, and part of what it means: `@`, `#`, `$`, `.`, `-` or `--`. */
  readonly sigil: string;
  /** Its words and what joins them. */
  readonly body: string;
  /** Behind its words: `++` or `#`. */
  readonly tail: string;
}

const word = '[\\p{L}\\p{N}][\\p{L}\\p{N}\\p{M}]*';
const joined = `${word}(?:[._/@+~-]${word})*`;
const flagOrEmoji = '\\p{Regional_Indicator}{2}|\\p{Extended_Pictographic}';
const piecePattern = new RegExp(`(--?|[@#$.])?(${joined})(\\+\\+|#(?![\\p{L}\\p{N}]))?|(${flagOrEmoji})`, 'gu');

/** In order. Two texts are cut alike wherever they are alike between blanks, so that what is typed can be compared. */
export function* piecesOf(foldedText: string): Generator<Piece> {
  for (const [, sigil = '', body, tail = '', emoji = ''] of foldedText.matchAll(piecePattern)) {
    yield { sigil, body: body ?? emoji, tail };
  }
}

/** Of a path or an address: each may be a name with points, or a version. */
export const segmentsOf = (body: string): string[] => body.split(/[/@]/);

export const wordsOf = (body: string): string[] => body.split(/[._/@+~-]/);

// `parseHTMLTree` has three parts: a capital begins one, and so does the last of several before a small letter.
const humps = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;
const hasHump = /[\p{Ll}\p{N}]\p{Lu}|\p{Lu}{2}\p{Ll}/u;

/** None when the word is one part. */
export const camelParts = (wordText: string): string[] => (hasHump.test(wordText) ? wordText.split(humps) : []);
