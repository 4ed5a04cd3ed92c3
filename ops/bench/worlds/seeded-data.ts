import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import type { CommandRequest } from '../../../src/kernel/command.ts';

/** The moment at which everything is recorded and asked for; dates of releases lie in the years before it. */
export const benchNowMs = Date.UTC(2025, 0, 1);
export const benchRangeMs = 3 * 365 * 86_400_000;

export const benchWebBaseUrl = 'https://registry.example';

/** Chance that a seed repeats exactly. */
export interface Chance {
  /** Both ends included. */
  readonly int: (min: number, max: number) => number;
  readonly pick: <T>(list: readonly T[]) => T;
}

export function createChance(seed: number): Chance {
  const generator = xoroshiro128plus(seed);
  const int = (min: number, max: number) => uniformInt(generator, min, max);
  return { int, pick: (list) => list[int(0, list.length - 1)]! };
}

export const benchRequest = (number: number): CommandRequest => ({
  commandId: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
  actor: 'root',
  cause: 'ingest',
  correlationId: `bench-${number}`,
});

const headings = ['Features', 'Bug fixes', 'Improvements', 'Breaking changes', 'Documentation', 'Security'];
const verbs = ['Fixed', 'Added', 'Improved', 'Removed', 'Deprecated', 'Allow', 'Support', 'Refactored', 'Handle'];
const things =
  'the parser, retries with backoff, `useTransition`, TypeScript 5.4 types, streaming responses, an off-by-one in the ' +
  'cursor, memory usage of the cache, Windows paths, source maps, the --watch flag, dark mode, WebSocket reconnects, ' +
  'empty query strings, the German translation, keyboard navigation, HTTP/2 trailers, `Content-Length` of HEAD answers';
const objects = things.split(', ');

/** A changelog entry in Markdown of exactly so many characters. */
function releaseBody(
  chance: Chance,
  chars: number,
  entry = () => `${chance.pick(verbs)} ${chance.pick(objects)}`,
): string {
  let text = '';
  for (let line = 0; text.length < chars; line += 1) {
    if (line % 6 === 0) text += `${line === 0 ? '' : '\n'}## ${chance.pick(headings)}\n`;
    text += `- ${entry()} (#${chance.int(100, 99_999)})\n`;
  }
  return text.slice(0, chars);
}

export interface BenchItem {
  readonly title: string;
  readonly version: string;
  readonly content: string;
  readonly publishedAt?: string;
}

export interface ItemShape {
  readonly bodyChars: number;
  /** What a line of its body says; one of a few hundred sentences when absent. */
  readonly entry?: () => string;
  /** Where its date lies: somewhere between these. */
  readonly fromMs: number;
  readonly toMs: number;
}

/** The nth release of a source. One in ten is a prerelease, one in twenty has no date. */
export function releaseItem(chance: Chance, number: number, { bodyChars, entry, fromMs, toMs }: ItemShape): BenchItem {
  const core = `${Math.floor(number / 100)}.${Math.floor(number / 10) % 10}.${number % 10}`;
  const version = chance.int(1, 10) === 1 ? `${core}-beta.1` : core;
  const publishedMs = fromMs + chance.int(0, Math.floor((toMs - fromMs) / 1_000)) * 1_000;
  return {
    title: `Release ${version}`,
    version,
    content: releaseBody(chance, bodyChars, entry),
    ...(chance.int(1, 20) > 1 && { publishedAt: new Date(publishedMs).toISOString() }),
  };
}
