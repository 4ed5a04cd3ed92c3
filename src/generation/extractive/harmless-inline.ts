/** One line of Markdown that changes nothing around it, wherever it is put. */
export interface HarmlessText {
  readonly text: string;
  /** Code and links: where each begins and ends. Who cuts the text does not cut these. */
  readonly solid: readonly (readonly [start: number, end: number])[];
}

/** Embeddings, overrides and isolates of the writing direction, their marks, and what is not seen at all. */
const unseenMarks = /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g;

// No class below admits the character that opens its own pattern, so a failed try never reads what the next one reads.
const image = /!\[[^[\]]*\](?:\([^()]*\)|\[[^[\]]*\])/y;
const link = /\[([^[\]]*)\]\([ ]?<?([^()<> ]*(?:\([^()<> ]*\)[^()<> ]*)?)>?(?: "[^"]*"| '[^']*')?[ ]?\)/y;
const reference = /\[([^[\]]*)\]\[[^[\]]*\]/y;
const autolink = /<(https?:\/\/[^<>\s]*)>/iy;
const tag = /<[a-z/!?][^<>]*>/iy;
/** Whatever else there is stays as it is, and is passed in one step. */
const special = /[\\`!<|[\]]/g;
const absolute = /^https?:\/\/[^\s"'\\]+$/i;

/** Of each length of backtick runs, where those begin that have not been passed. */
function backtickRuns(text: string): Map<number, number[]> {
  const runs = new Map<number, number[]>();
  for (const { 0: run, index } of text.matchAll(/`+/g)) {
    const starts = runs.get(run.length);
    if (starts === undefined) runs.set(run.length, [index]);
    else starts.push(index);
  }
  for (const starts of runs.values()) starts.reverse();
  return runs;
}

export const withoutUnseenMarks = (text: string): string => text.replace(unseenMarks, '');

const oneLine = (markdown: string): string =>
  withoutUnseenMarks(markdown)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();

/**
 * Code spans stay whole, links to the web too; other links become their text. Images and HTML go, and so does every mark
 * that would open something and has no end.
 */
export function harmlessInline(markdown: string): HarmlessText {
  const text = oneLine(markdown);
  const runs = backtickRuns(text);
  const solid: [number, number][] = [];
  let out = '';
  let at = 0;

  const match = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    return pattern.exec(text);
  };
  const addSolid = (piece: string): void => {
    // What stood between may be gone: two runs of backticks would become one, and a link an image.
    if ((piece.startsWith('`') && out.endsWith('`')) || (piece.startsWith('[') && out.endsWith('!'))) out += ' ';
    solid.push([out.length, out.length + piece.length]);
    out += piece;
  };

  const takeCode = (): void => {
    let length = 1;
    while (text[at + length] === '`') length += 1;
    // A run that begins behind a backslash is shorter than it was found.
    const starts = runs.get(length) ?? [];
    while (starts.length > 0 && starts.at(-1)! <= at) starts.pop();
    const end = starts.at(-1);
    if (end !== undefined) addSolid(text.slice(at, end + length));
    at = end === undefined ? at + length : end + length;
  };

  /** Text of links is taken without its own marks: they might have no end. */
  const plain = (label: string): string => label.replace(/[`<>]/g, '').replace(/[*_~]{2,}/g, '');

  const takeBracket = (): boolean => {
    const found = match(link);
    if (found !== null) {
      const [whole, label = '', address = ''] = found;
      const shown = plain(label);
      if (absolute.test(address) && shown.trim() !== '') addSolid(`[${shown}](${address})`);
      else out += shown;
      at += whole.length;
      return true;
    }
    const named = match(reference);
    if (named === null) return false;
    out += plain(named[1]!);
    at += named[0].length;
    return true;
  };

  const takeAngle = (): boolean => {
    const address = match(autolink);
    if (address !== null) addSolid(address[1]!);
    const found = address ?? match(tag);
    if (found === null) return false;
    at += found[0].length;
    return true;
  };

  while (at < text.length) {
    special.lastIndex = at;
    const plainEnd = special.exec(text)?.index ?? text.length;
    out += text.slice(at, plainEnd);
    at = plainEnd;
    if (at === text.length) break;
    const char = text[at]!;
    const next = text[at + 1] ?? '';
    if (char === '\\' && /[!-/:-@[-`{-~]/.test(next)) {
      addSolid(char + next);
      at += 2;
    } else if (char === '`') takeCode();
    else if (char === '!' && next === '[' && match(image) !== null) at = image.lastIndex;
    else if (char === '[' && takeBracket()) continue;
    else if (char === '<' && takeAngle()) continue;
    else {
      // What follows may go, so that these would meet what stands behind it.
      const opens =
        char === '|' || ((char === ']' || char === '<' || char === '\\') && !/[\s\p{L}\p{N}.,;]/u.test(next));
      if (opens || (char === '<' && next !== ' ')) addSolid(`\\${char}`);
      else out += char;
      at += 1;
    }
  }
  return { text: out, solid };
}
