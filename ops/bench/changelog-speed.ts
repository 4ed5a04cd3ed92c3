import { changelogEntries } from '../../src/ingest/changelog/changelog-entries.ts';
import type { Figure } from './bench-report.ts';
import { cachedChangelogs } from './changelog-quality/package-cache.ts';

const rounds = 7;
/** Hostile texts take longer, and only their growth is judged. */
const hostileRounds = 3;
const megabyte = 1_000_000;
/** Stored changelog files are no longer than this (contract 5.4). */
const fileCharsMax = 5 * 1024 * 1024;

/**
 * Whole parts only: a last line that is cut anywhere is read in another way in the short text than in the long one, and their
 * times say nothing about growth. (Addresses of versions are read from the end, as long as they are whole.)
 */
const charsOf = (part: string, chars: number): string => part.repeat(Math.floor(chars / part.length));

const items =
  '* **core:** mend the thing that broke ([a1b2c3d](https://example.com/c/a1b2c3d)), closes [#12](https://example.com/12)\n';
const madeEntry = (number: number): string =>
  `## [1.${number}.0](https://example.com/compare/v1.${number - 1}.0...v1.${number}.0) (2024-01-02)\n\n\n### Bug Fixes\n\n` +
  `${items.repeat(4)}\n### Features\n\n${items.repeat(3)}\n`;

const madeChangelog = (chars: number): string => {
  const entries: string[] = [];
  for (let length = 0; length < chars; length += entries.at(-1)!.length) entries.push(madeEntry(entries.length));
  return entries.join('');
};

const hostileTexts: Readonly<Record<string, (chars: number) => string>> = {
  'one character': (chars) => charsOf('1', chars),
  'hashes without a break': (chars) => charsOf('#', chars),
  'empty headings': (chars) => charsOf('# \n', chars),
  'open brackets in headings': (chars) => charsOf('## 1.0.0 [[[[[[[[((((((((\n', chars),
  'fences that nobody closes': (chars) => charsOf('```a\n~~~~ b\n', chars),
  'comments that nobody closes': (chars) => charsOf('<!-- \n', chars),
  'underlined versions': (chars) => charsOf('1.2.3\n===\n', chars),
  'bold versions': (chars) => charsOf('**1.2.3**\n', chars),
  'nothing but headings of one version': (chars) => charsOf('## 1.0.0\n', chars),
  'a heading of one endless line': (chars) => `# ${charsOf('a-1.', chars)}`,
  'blank lines below a heading': (chars) => `## 1.0.0${charsOf('\n \n', chars)}`,
  'dates in headings': (chars) => charsOf('## 2024-01-02 Jan 2 2024 02/01/2024\n', chars),
  'addresses of versions': (chars) => `## 1.0.0\n${charsOf('[1.0.0]: https://example.com\n', chars)}`,
};

/** CPU of the median round, so that what else runs on the machine does not count. */
function medianCpuMs(times: number, work: () => unknown): number {
  const cpuMs: number[] = [];
  for (let round = 0; round < times; round += 1) {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    cpuMs.push((user + system) / 1_000);
  }
  return cpuMs.sort((a, b) => a - b)[(times - 1) / 2]!;
}

const speedOf = (texts: readonly string[]): number => {
  const chars = texts.reduce((sum, text) => sum + text.length, 0);
  return chars / megabyte / (medianCpuMs(rounds, () => texts.forEach(changelogEntries)) / 1_000);
};

/** Also how often as long a text of four times the length takes; below a millisecond there is nothing to compare. */
function hostileFigures(name: string, make: (chars: number) => string): Figure[] {
  const [short, long] = [make(fileCharsMax / 4), make(fileCharsMax)];
  const shortMs = medianCpuMs(hostileRounds, () => changelogEntries(short));
  const longMs = medianCpuMs(hostileRounds, () => changelogEntries(long));
  return [
    { metric: `5 MiB of ${name}`, value: long.length / megabyte / (longMs / 1_000), unit: 'MB/s' },
    { metric: `${name}, 4 times as many`, value: longMs / Math.max(shortMs, 1), unit: 'times the CPU', atMost: 6 },
  ];
}

/** Changelogs cut into entries on one core: a made one, those that the quality is measured on, and hostile ones. */
export async function runChangelogSpeed(): Promise<Figure[]> {
  const made = [madeChangelog(fileCharsMax)];
  const written = cachedChangelogs().map(({ text }) => text);
  if (written.length === 0) console.error('The changelogs of packages are left out: changelog-quality fetches them.');
  return [
    { metric: 'a made changelog of 5 MiB', value: speedOf(made), unit: 'MB/s', atLeast: 8 },
    ...(written.length === 0
      ? []
      : [
          { metric: `the changelogs of ${written.length} packages`, value: speedOf(written), unit: 'MB/s', atLeast: 8 },
        ]),
    ...Object.entries(hostileTexts).flatMap(([name, make]) => hostileFigures(name, make)),
  ];
}
