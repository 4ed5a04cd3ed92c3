// Accents of Latin, Greek and Cyrillic letters, and what only says how a character is drawn. Marks of other scripts are
// letters of their own there.
const accents = /[\u0300-\u036f\ufe00-\ufe0f\u20e3]/g;
const onlyAscii = /^[\0-\x7f]*$/;

/** One spelling of what reads the same: without accents, wide letters as narrow ones. Case is left as it is. */
export const foldAccents = (text: string): string =>
  onlyAscii.test(text) ? text : text.normalize('NFKD').replace(accents, '').normalize('NFC');

/** The last sigma of a Greek word has a form of its own, which a part of the word has not. */
export const foldCase = (text: string): string => text.toLowerCase().replaceAll('ς', 'σ');
