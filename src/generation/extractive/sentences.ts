import { type HarmlessText, harmlessInline } from './harmless-inline.ts';

/** Shorter says nothing, longer is no sentence that somebody reads at a glance. */
const sentenceChars = { min: 12, max: 400 };

const abbreviations = new Set([
  'e.g',
  'i.e',
  'vs',
  'etc',
  'cf',
  'approx',
  'incl',
  'resp',
  'no',
  'nos',
  'fig',
  'dr',
  'mr',
  'st',
]);
const ends = new Set(['.', '!', '?', '…']);
/** After these no blank is needed. */
const fullWidthEnds = new Set(['。', '！', '？']);
const closers = new Set([')', ']', '"', "'", '”', '’', '*', '_', '»']);

/** The word that ends before a place; it is looked at for a few characters only. */
const wordBefore = (text: string, at: number): string =>
  /[\p{L}.]{1,8}$/u.exec(text.slice(Math.max(0, at - 8), at))?.[0] ?? '';

function endsSentence(text: string, at: number): boolean {
  const char = text[at]!;
  if (fullWidthEnds.has(char)) return true;
  if (!ends.has(char)) return false;
  let after = at + 1;
  while (closers.has(text[after] ?? '')) after += 1;
  if (after < text.length && text[after] !== ' ') return false;
  const word = wordBefore(text, at).toLowerCase();
  if (char === '.' && (abbreviations.has(word) || (/^\p{L}$/u.test(word) && after < text.length))) return false;
  return !/^ \p{Ll}/u.test(text.slice(after, after + 3));
}

const stop = /[.!?…。！？]/g;

/** Where sentences end; never inside code or a link. */
function* cuts({ text, solid }: HarmlessText): Generator<number> {
  let nextSolid = 0;
  for (let at = 0; at < text.length; at += 1) {
    stop.lastIndex = at;
    const found = stop.exec(text);
    if (found === null) break;
    at = found.index;
    while (nextSolid < solid.length && solid[nextSolid]![1] <= at) nextSolid += 1;
    const piece = solid[nextSolid];
    if (piece !== undefined && at >= piece[0]) {
      at = piece[1] - 1;
      continue;
    }
    if (!endsSentence(text, at)) continue;
    while (closers.has(text[at + 1] ?? '')) at += 1;
    yield at + 1;
  }
  yield text.length;
}

/** At the beginning of a line these would make something else of it than a sentence. */
const leadingMarks = /^(?:\s|>|[#+*=~-]+(?=\s)|[,.;:–—](?=\s)|\d{1,9}[.)](?=\s)|\p{M})+/u;

/** What marks a beginning and an end, and has but one of them here, goes. */
function withoutHalfMarks(text: string, solid: readonly (readonly [number, number])[]): string {
  const outside: string[] = [];
  let from = 0;
  for (const [start, end] of solid) {
    outside.push(text.slice(from, start));
    from = end;
  }
  outside.push(text.slice(from));
  const loose = outside.join('\n');
  const half = ['**', '__', '~~'].filter((mark) => loose.split(mark).length % 2 === 0);
  const isFence = /~{3,}/.test(loose);
  if (half.length === 0 && !isFence) return text;
  const clean = (piece: string): string =>
    half.reduce((rest, mark) => rest.replaceAll(mark, ''), piece.replace(/~{3,}/g, ''));
  return outside
    .map((piece, index) => {
      const left = clean(piece);
      // What two pieces were parted by is gone: their backticks must not become one run.
      const between = left === '' && piece !== '' ? ' ' : left;
      return index < solid.length ? between + text.slice(...solid[index]!) : between;
    })
    .join('');
}

const tells = (text: string): boolean =>
  text.length >= sentenceChars.min && text.length <= sentenceChars.max && /\p{L}{2,}.*\p{L}{2,}/u.test(text);

/** The sentences of one block of text, in its own words, each fit to stand on a line of its own. */
export function sentencesOf(markdown: string): string[] {
  const harmless = harmlessInline(markdown);
  const found: string[] = [];
  let from = 0;
  let passed = 0;
  for (const end of cuts(harmless)) {
    while (passed < harmless.solid.length && harmless.solid[passed]![1] <= from) passed += 1;
    const solid: (readonly [number, number])[] = [];
    for (let index = passed; index < harmless.solid.length && harmless.solid[index]![0] < end; index += 1) {
      const [start, stop] = harmless.solid[index]!;
      solid.push([start - from, stop - from]);
    }
    const sentence = withoutHalfMarks(harmless.text.slice(from, end), solid).replace(leadingMarks, '').trim();
    if (tells(sentence)) found.push(sentence);
    from = end;
  }
  return found;
}
