import { changelogEntries } from '../../src/ingest/changelog/changelog-entries.ts';
import type { Figure } from './bench-report.ts';
import { measureEntries, type Quality, type Share } from './changelog-quality/measure-entries.ts';
import { cachedChangelogs, fetchMissing } from './changelog-quality/package-cache.ts';

const measures = ['recall', 'precision', 'listed', 'dates', 'kept'] as const;
type Measure = (typeof measures)[number];

/** What was asked for; `listed` is only told, because a mirror need not list every version that there was. */
const judged: readonly Measure[] = ['recall', 'precision', 'dates', 'kept'];
const overallMin = 99;
const packageMin = 95;
const missedShownMax = 3;

interface Measured {
  readonly spec: string;
  readonly quality: Quality;
}

const percentOf = ({ part, of }: Share): number => (of === 0 ? 100 : (100 * part) / of);

const sumOf = (all: readonly Measured[], measure: Measure): Share => ({
  part: all.reduce((sum, { quality }) => sum + quality[measure].part, 0),
  of: all.reduce((sum, { quality }) => sum + quality[measure].of, 0),
});

const cellOf = (share: Share): string => {
  if (share.of === 0) return '-';
  const percent = percentOf(share);
  return `${percent === 100 ? '100' : percent.toFixed(2)} % of ${share.of}`;
};

function tableOf(all: readonly Measured[]): string {
  const rows = [
    ['package', ...measures],
    ...all.map(({ spec, quality }) => [spec, ...measures.map((measure) => cellOf(quality[measure]))]),
    [`all ${all.length}`, ...measures.map((measure) => cellOf(sumOf(all, measure)))],
  ];
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** What is behind a share below the whole, so that the parser or the measure can be mended. */
const missesOf = ({ spec, quality }: Measured): string[] =>
  Object.entries(quality.missed)
    .filter(([, missed]) => missed.length > 0)
    .map(([what, missed]) => `${spec} ${what}: ${JSON.stringify(missed.slice(0, missedShownMax)).slice(0, 300)}`);

function figuresOf(all: readonly Measured[]): Figure[] {
  return judged.flatMap((measure): Figure[] => {
    const percents = all.map(({ quality }) => percentOf(quality[measure]));
    return [
      { metric: `${measure}, all packages`, value: percentOf(sumOf(all, measure)), unit: '%', atLeast: overallMin },
      { metric: `${measure}, worst package`, value: Math.min(...percents), unit: '%', atLeast: packageMin },
    ];
  });
}

/**
 * How well changelogs as people write them are read, on those of pinned packages. Recall: of the listed versions that begin a
 * line, those found. Precision: of the entries, those listed, dated, or in their place between listed ones. Dates: of the
 * entries whose heading or next lines bear one, those with that date. Kept: of the text from the first entry on, that which
 * stands in an entry.
 */
export async function runChangelogQuality({ json }: { readonly json: boolean }): Promise<Figure[]> {
  fetchMissing();
  const all = cachedChangelogs().map(
    (file): Measured => ({ spec: file.spec, quality: measureEntries(file, changelogEntries(file.text)) }),
  );
  if (!json) console.log([tableOf(all), '', ...all.flatMap(missesOf), ''].join('\n'));
  return [{ metric: 'packages', value: all.length, unit: '', atLeast: 80 }, ...figuresOf(all)];
}
