import { type Instant, undatedMonth } from '../../../projections/instants/instants-document.ts';
import { runCodeOf } from '../../domain/release/feed/feed-runs.ts';
import { isSuppressedCode } from '../../domain/release/feed/lane.ts';
import { idOrderOf } from './id-order.ts';

/**
 * Releases that feeds may show, five numbers of each in turn: publishedMs, fetchedMs, the code of the run, the order of the
 * id and the number of the document that holds it. The undated have 0 for a date. Most sources have few releases, of which
 * typed arrays would be mostly headers; an object for each release would be most of what a catalogue takes.
 */
export interface PackedReleases {
  readonly numbers: readonly number[];
  /** Of each release; none at all where no release has one. */
  readonly versions: readonly (string | null)[];
}

export const numbersEach = 5;

const noReleases: PackedReleases = { numbers: [], versions: [] };

export const countOf = ({ numbers }: PackedReleases): number => numbers.length / numbersEach;

export const idOrderAt = ({ numbers }: PackedReleases, at: number): number => numbers[at * numbersEach + 3]!;

export const documentAt = ({ numbers }: PackedReleases, at: number): number => numbers[at * numbersEach + 4]!;

/** Of the oldest and of the newest, where they are in order. */
export const firstMsOf = ({ numbers }: PackedReleases): number => numbers[0]!;
export const lastMsOf = ({ numbers }: PackedReleases): number => numbers[numbers.length - numbersEach]!;

const chunkCharsMax = 4;
const codesOfChar = 128;
const documentsOfMonth = codesOfChar ** chunkCharsMax;

/** Month and chunk of a document (`instantsPlace`) as one number, which tells it from the others of its source. */
export const documentNumberOf = (month: string, chunk: string): number => {
  if (chunk.length > chunkCharsMax) throw new RangeError(`${chunk} is too long for a part of a number`);
  const months = month === undatedMonth ? 0 : Number(month.slice(0, 4)) * 12 + Number(month.slice(5)) - 1;
  let code = 0;
  for (let at = 0; at < chunk.length; at += 1) code = code * codesOfChar + chunk.charCodeAt(at);
  return months * documentsOfMonth + code;
};

export const isUndatedDocument = (document: number): boolean => document < documentsOfMonth;

const monthStartMs = (months: number): number => Date.UTC(Math.floor(months / 12), months % 12);

/** From when on, and before when, the releases of a document with a month lie. */
export const momentsOf = (document: number): readonly [fromMs: number, endMs: number] => {
  const months = Math.floor(document / documentsOfMonth);
  return [monthStartMs(months), monthStartMs(months + 1)];
};

/** One behind the other, as they come. */
export interface GrowingReleases extends PackedReleases {
  readonly numbers: number[];
  /** A null of each that has none. */
  readonly versions: (string | null)[];
}

/** Nothing of one that is taken down. */
export const addRelease = (
  { numbers, versions }: GrowingReleases,
  [id, publishedMs, laneCode, fetchedMs, , importance, version]: Instant,
  document: number,
): void => {
  if (isSuppressedCode(laneCode)) return;
  numbers.push(publishedMs ?? 0, fetchedMs, runCodeOf(laneCode, importance), idOrderOf(id), document);
  versions.push(version);
};

export const copyRelease = (from: PackedReleases, at: number, { numbers, versions }: GrowingReleases): void => {
  for (let each = at * numbersEach; each < (at + 1) * numbersEach; each += 1) numbers.push(from.numbers[each]!);
  versions.push(from.versions[at] ?? null);
};

/** Some of them in that order. Of exactly that length: an array that grows keeps room for many more. */
export const pick = ({ numbers, versions }: PackedReleases, order: readonly number[]): PackedReleases => {
  if (order.length === 0) return noReleases;
  const picked = new Array<number>(order.length * numbersEach);
  for (let to = 0; to < order.length; to += 1) {
    const from = order[to]! * numbersEach;
    for (let each = 0; each < numbersEach; each += 1) picked[to * numbersEach + each] = numbers[from + each]!;
  }
  const hasVersions = order.some((at) => versions[at] != null);
  return { numbers: picked, versions: hasVersions ? order.map((at) => versions[at] ?? null) : noReleases.versions };
};

/** Which of two comes first in the feed order, but the oldest first. */
export const compareReleases = (a: PackedReleases, atA: number, b: PackedReleases, atB: number): number => {
  const [ofA, ofB] = [atA * numbersEach, atB * numbersEach];
  return (
    a.numbers[ofA]! - b.numbers[ofB]! ||
    a.numbers[ofA + 1]! - b.numbers[ofB + 1]! ||
    a.numbers[ofA + 3]! - b.numbers[ofB + 3]!
  );
};

export const isSameRelease = (a: PackedReleases, atA: number, b: PackedReleases, atB: number): boolean => {
  for (let each = 0; each < numbersEach; each += 1) {
    if (a.numbers[atA * numbersEach + each] !== b.numbers[atB * numbersEach + each]) return false;
  }
  return (a.versions[atA] ?? null) === (b.versions[atB] ?? null);
};
