import { decodeHTMLStrict } from 'entities';
import { withoutInlineMarks } from '../../domain/release/derived/outline.ts';

// Each of these reads a stretch of the text once, however hostile it is: what may repeat is bounded or cannot begin anew
// inside of what it has read.
const address = /https?:\/\/[^\s<>"]*/gi;
/** Seven digits or letters of hexadecimal, at least one of each: a word or a number is none. */
const commitHash = /\b(?=[a-f]{0,39}\d)(?=\d{0,39}[a-f])[\da-f]{7,40}\b/g;
const issueNumber = /#\d{1,9}\b/g;
/** A person, unless it is the scope of a package: `@scope/name`. */
const handle = /(?<![\w./@-])@[a-z\d][a-z\d-]{0,38}(?![\w/-])/gi;
const emptyBrackets = /[([][\s,;:&]{0,20}[)\]]/g;

const isWord = (word: string): boolean => /[\p{L}\p{N}]/u.test(word);

/** What an entry says, in words: without marks, addresses, commits, issues and people. Empty when it is less than two. */
export function cleanEntry(block: string): string[] {
  const said = decodeHTMLStrict(withoutInlineMarks(block))
    .replace(address, ' ')
    .replace(commitHash, ' ')
    .replace(issueNumber, ' ')
    .replace(handle, ' ')
    .replace(emptyBrackets, ' ');
  const words = said.split(/\s+/).filter((word) => word !== '');
  return words.filter(isWord).length >= 2 ? words : [];
}
