import type { SearchDocument } from '../../../src/ports/search-index.ts';
import { benchNowMs, benchRangeMs, type Chance } from './seeded-data.ts';

const vocabularyWords = 20_000;
const entryWords = 18;
const sourceCount = 500;

const syllables = 'ba co de fi gu ha je ki lo mu na pe qui ro su ta ve wi xo zu cra ple sto tri fra'.split(' ');

/** Words that read like words; one in twenty is an identifier. */
function makeVocabulary(chance: Chance): string[] {
  const words = new Set<string>();
  const syllable = () => chance.pick(syllables);
  const capital = (word: string) => `${word[0]!.toUpperCase()}${word.slice(1)}`;
  while (words.size < vocabularyWords) {
    const word = Array.from({ length: chance.int(2, 4) }, syllable).join('');
    words.add(chance.int(1, 20) === 1 ? `${word}${capital(syllable() + syllable())}` : word);
  }
  return [...words];
}

export interface SearchTexts {
  /** About a word in six is one of the ten commonest, as in any language. */
  readonly words: (count: number) => string[];
  /** Any word as often as any other: what somebody looks for is seldom a common one. */
  readonly word: () => string;
  readonly release: (number: number) => SearchDocument;
  readonly chunk: (number: number) => SearchDocument;
}

/** Texts in which the nth commonest word stands an nth as often as the commonest, which is how words are used. */
export function createSearchTexts(chance: Chance): SearchTexts {
  const vocabulary = makeVocabulary(chance);
  const steps = 1 << 20;
  const commonOnes = Math.log(vocabularyWords + 1);
  const zipf = () => Math.floor(Math.exp((chance.int(0, steps - 1) / steps) * commonOnes)) - 1;
  const words = (count: number) => Array.from({ length: count }, () => vocabulary[zipf()]!);
  const entry = () => `- ${words(entryWords).join(' ')} (#${chance.int(100, 99_999)})`;
  const text = (entries: number) => Array.from({ length: entries }, entry).join('\n');
  const common = (number: number) => ({
    sourceId: `src_${number % sourceCount}`,
    publishedMs: chance.int(1, 20) === 1 ? null : benchNowMs - chance.int(0, benchRangeMs / 1_000) * 1_000,
    isCoverage: chance.int(1, 20) === 1,
    isBare: false,
    textHashes: [],
  });
  const names = (number: number) => {
    const name = vocabulary[(number % sourceCount) * 7]!;
    return `${name} @${name}/${name}-kit`;
  };
  return {
    words,
    word: () => chance.pick(vocabulary),
    release: (number) => {
      const version = `${number % 40}.${chance.int(0, 30)}.${chance.int(0, 20)}`;
      const title = `${words(2).join(' ')} v${version}`;
      return { id: `rel_${number}`, ...common(number), texts: { title, names: names(number), body: text(5) } };
    },
    chunk: (number) => {
      const title = words(3).join(' ');
      return { id: `chunk_${number}`, ...common(number), texts: { title, names: names(number), body: text(12) } };
    },
  };
}
