// Scripts that put no blank between words, and Korean, which puts endings behind them.
const scripts = ['Han', 'Hiragana', 'Katakana', 'Hangul', 'Thai', 'Lao', 'Khmer', 'Myanmar'];
const inScripts = `[${scripts.map((script) => `\\p{Script=${script}}`).join('')}\\u30fc]`;
const unspaced = new RegExp(inScripts, 'u');
const runs = new RegExp(`${inScripts}+|(?:(?!${inScripts}).)+`, 'gu');
const isAscii = /^[\0-\x7f]*$/;

export const hasUnspaced = (text: string): boolean => !isAscii.test(text) && unspaced.test(text);

/** A text cut where such a script begins or ends. */
export const runsOf = (text: string): string[] => text.match(runs) ?? [];

/** Any two characters beside each other: what is looked for stands where all its pairs do. */
export const pairsOf = (run: string): string[] => {
  const characters = [...run];
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
};
