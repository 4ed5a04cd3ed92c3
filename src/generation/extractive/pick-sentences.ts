import type { ContributingRelease } from '../content-provider.ts';
import { sentencesOf } from './sentences.ts';
import { textBlocks } from './text-blocks.ts';
import { blockWeight, releaseWeight } from './weigh-sentence.ts';

export interface PickedSentence {
  readonly release: ContributingRelease;
  readonly text: string;
}

export interface PickLimits {
  readonly sentences: number;
  readonly perRelease: number;
}

interface Candidate extends PickedSentence {
  /** Places of the release and of the sentence in it. */
  readonly place: number;
  readonly order: number;
  readonly weight: number;
}

/** What comes later in a release counts a little less, and so does what is hardly a sentence, or too much of one. */
const formWeight = (text: string, order: number): number =>
  -0.01 * Math.min(order, 20) - (text.length < 25 ? 1 : 0) - (text.length > 240 ? 1 : 0);

function candidatesOf(release: ContributingRelease, place: number): Candidate[] {
  const ownWeight = releaseWeight(release, place);
  const found: Candidate[] = [];
  const blocks = textBlocks(release.text).map((block) => ({ block, weight: blockWeight(block) }));
  // Chores are told of only where there is nothing else.
  const least = blocks.some(({ weight }) => weight > 0) ? 1 : 0;
  for (const { block, weight } of blocks) {
    if (weight < least) continue;
    for (const text of sentencesOf(block.text)) {
      const order = found.length;
      found.push({ release, text, place, order, weight: ownWeight + weight + formWeight(text, order) });
    }
  }
  if (found.length > 0) return found;
  // A release without a text to speak of has its title, which is a text of it, too.
  const [title] = sentencesOf(release.title);
  return title === undefined ? [] : [{ release, text: title, place, order: 0, weight: ownWeight }];
}

/** Two sentences that differ only in marks, blanks and case are one. */
const sameness = (text: string): string =>
  text
    .replace(/\]\([^()]*\)/g, ']')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');

/** The weightiest sentences, no two alike; in the order of the releases, and of each release in its own. */
export function pickSentences(
  releases: readonly ContributingRelease[],
  { sentences, perRelease }: PickLimits,
): PickedSentence[] {
  const candidates = releases.flatMap(candidatesOf);
  candidates.sort((a, b) => b.weight - a.weight || a.place - b.place || a.order - b.order);
  const picked: Candidate[] = [];
  const seen = new Set<string>();
  const taken = new Map<number, number>();
  for (const candidate of candidates) {
    if (picked.length === sentences) break;
    const { place, text } = candidate;
    const count = taken.get(place) ?? 0;
    const key = sameness(text);
    if (count === perRelease || seen.has(key)) continue;
    seen.add(key);
    taken.set(place, count + 1);
    picked.push(candidate);
  }
  return picked.sort((a, b) => a.place - b.place || a.order - b.order).map(({ release, text }) => ({ release, text }));
}
