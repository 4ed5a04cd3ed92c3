import { cutText } from '../../kernel/text-rules.ts';
import { cleanEntry } from './clean-entry.ts';
import { entryBlocks } from './entry-blocks.ts';
import { type EntryText, entryCharsMax, hashedText } from './entry-text.ts';

const entriesMax = 64;
const entryWordsMax = 80;

function* piecesOf(words: readonly string[]): Generator<string> {
  for (let at = 0; at < words.length; at += entryWordsMax) {
    yield cutText(words.slice(at, at + entryWordsMax).join(' '), entryCharsMax);
  }
}

/** Neighbours become one until there are few enough. */
function joined(entries: readonly string[]): readonly string[] {
  if (entries.length <= entriesMax) return entries;
  const pairs: string[] = [];
  for (let at = 0; at < entries.length; at += 2) {
    pairs.push(cutText(entries.slice(at, at + 2).join(' '), entryCharsMax));
  }
  return joined(pairs);
}

/**
 * What is embedded of a release: each item of its lists and each paragraph, behind the name by which people ask for it. A
 * release is as near to a query as the nearest of these. Linear in the length of the text, whatever it holds.
 */
export function releaseEntries(name: string, markdown: string): EntryText[] {
  const entries = new Set<string>();
  for (const block of entryBlocks(markdown)) {
    for (const piece of piecesOf(cleanEntry(block))) entries.add(piece);
  }
  return joined([...entries]).map((entry) => hashedText(`${name}: ${entry}`));
}
