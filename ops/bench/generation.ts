import type { ContributingRelease } from '../../src/generation/content-provider.ts';
import { extractOverview, extractSummary } from '../../src/generation/extractive/extractive-provider.ts';
import type { Figure } from './bench-report.ts';

const rounds = 50;
/** As many releases, and as much of each, as the generator reads of an org with 10,000 or more. */
const releasesRead = 25;
const textChars = 4_000;

const sentence = (release: number, line: number): string =>
  `- Fixed what was broken in \`part-${line}\` of [release ${release}](https://example.com/${release}/${line}), thanks to all.\n`;

function releaseText(release: number): string {
  let text = `The ${release}th release is about speed. It is faster in every respect.\n\n## Features\n`;
  for (let line = 0; text.length < textChars; line += 1) {
    if (line % 20 === 19) text += `\n## ${line % 40 === 39 ? 'Breaking changes' : 'Fixes'}\n`;
    text += sentence(release, line);
  }
  return text.slice(0, textChars);
}

const releaseOf = (number: number, text: string): ContributingRelease => {
  const id = `rel_${String(number).padStart(21, '0')}`;
  return {
    id,
    sourceId: `src_${String(number % 3).padStart(21, '0')}`,
    sourceName: `Source ${number % 3}`,
    headline: `Release 1.${number}.0`,
    title: `Release 1.${number}.0`,
    version: `1.${number}.0`,
    url: `https://example.com/releases/${number}`,
    webUrl: `https://registry.example/release/${id}`,
    publishedAt: new Date(Date.UTC(2030, 0, 1) - number * 3_600_000).toISOString(),
    fetchedAt: '2030-01-01T00:00:00.000Z',
    breaking: 'unknown',
    importance: 3,
    text,
  };
};

const hostileTexts: readonly (readonly [string, string])[] = [
  ['open brackets', '['.repeat(textChars)],
  ['half links', '[a]('.repeat(textChars / 4)],
  ['backticks', '` '.repeat(textChars / 2)],
  ['full stops', 'a. '.repeat(textChars / 3)],
];

function perSecond(metric: string, run: () => unknown): Figure[] {
  run(); // once before, so that nobody measures the compiler
  const cpu = process.cpuUsage();
  const beganMs = performance.now();
  for (let round = 0; round < rounds; round += 1) run();
  const seconds = (performance.now() - beganMs) / 1_000;
  const { user, system } = process.cpuUsage(cpu);
  return [
    { metric: `${metric}, a second`, value: rounds / seconds, unit: '/s' },
    { metric: `${metric}, CPU each`, value: (user + system) / 1_000 / rounds, unit: 'ms' },
  ];
}

/** Overviews and summaries picked out of releases, without reading and storing them. */
export async function runGeneration(): Promise<Figure[]> {
  const releases = Array.from({ length: releasesRead }, (_, number) => releaseOf(number, releaseText(number)));
  const figures = [
    ...perSecond('overview of an org with 10,000 releases', () => extractOverview(releases)),
    ...perSecond('summary of 30 days', () =>
      extractSummary({ type: 'rolling', windowDays: 30 }, { releases, count: 40 }),
    ),
  ];
  for (const [what, text] of hostileTexts) {
    const hostile = releases.map((release) => ({ ...release, text }));
    figures.push(...perSecond(`overview of nothing but ${what}`, () => extractOverview(hostile)));
  }
  return figures;
}
