import { foldAccents, foldCase } from './fold-text.ts';
import { camelParts, type Piece, piecesOf, segmentsOf, wordsOf } from './pieces.ts';
import { hasUnspaced, pairsOf, runsOf } from './unspaced-scripts.ts';
import { cutToken, isVersion, tokenCharsMax, versionParts, withoutV } from './token-form.ts';

const plainWord = /^[a-z0-9]+$/;
const fits = (token: string): boolean => token.length <= tokenCharsMax;

/** `1.2.3-beta` is found by `1.2` and `1`, and by `v1`; its later numbers alone are not what anybody looks for. */
function* versionTokens(segment: string): Generator<string> {
  const { core, words } = versionParts(segment);
  const numbers = core.split('.');
  yield foldCase(withoutV(segment));
  for (let count = 1; count <= numbers.length; count += 1) yield numbers.slice(0, count).join('.');
  yield `v${numbers[0]}`;
  for (const word of words) yield* wordTokens(word);
}

function* wordTokens(word: string): Generator<string> {
  if (hasUnspaced(word)) {
    for (const run of runsOf(word)) {
      if (!hasUnspaced(run)) yield* wordTokens(run);
      else yield* [...run, ...pairsOf(run)];
    }
    return;
  }
  yield cutToken(foldCase(word));
  for (const part of camelParts(word)) yield cutToken(foldCase(part));
}

function* pieceTokens({ sigil, body, tail }: Piece): Generator<string> {
  const segments = segmentsOf(body);
  if (!hasUnspaced(body)) {
    yield* [body, ...segments, `${sigil}${body}${tail}`, `${sigil}${segments[0]}`].map(foldCase).filter(fits);
  }
  for (const segment of segments) {
    if (isVersion(segment)) yield* [...versionTokens(segment)].filter(fits);
    else for (const word of wordsOf(segment)) yield* wordTokens(word);
  }
}

/** What a text is found by, in order and as often as it stands there. No token has a blank in it. */
export function storedTokens(text: string): string[] {
  const tokens: string[] = [];
  for (const piece of piecesOf(foldAccents(text))) {
    if (piece.sigil === '' && piece.tail === '' && piece.body.length <= tokenCharsMax && plainWord.test(piece.body)) {
      tokens.push(piece.body); // most are
    } else for (const token of new Set(pieceTokens(piece))) tokens.push(token);
  }
  return tokens;
}
