import { arch, cpus, platform, totalmem } from 'node:os';

/** One figure. Without a bound it is only told, not judged. */
export interface Figure {
  readonly metric: string;
  readonly value: number;
  readonly unit: string;
  readonly atLeast?: number;
  readonly atMost?: number;
}

interface Row {
  readonly metric: string;
  readonly value: number;
  readonly unit: string;
  readonly target: string | null;
  readonly ok: boolean | null;
}

/** Three digits say all that a measurement knows; a whole number keeps its own. */
const rounded = (value: number): number => (value >= 100 ? Math.round(value) : Number(value.toPrecision(3)));

const targetOf = ({ atLeast, atMost }: Figure): string | null => {
  if (atLeast !== undefined) return `>= ${atLeast}`;
  return atMost === undefined ? null : `<= ${atMost}`;
};

const isMet = ({ value, atLeast, atMost }: Figure): boolean | null => {
  if (atLeast === undefined && atMost === undefined) return null;
  return value >= (atLeast ?? Number.NEGATIVE_INFINITY) && value <= (atMost ?? Number.POSITIVE_INFINITY);
};

const rowOf = (figure: Figure): Row => ({
  metric: figure.metric,
  value: rounded(figure.value),
  unit: figure.unit,
  target: targetOf(figure),
  ok: isMet(figure),
});

const machine = () => ({
  cores: cpus().length,
  memoryGiB: Math.round(totalmem() / 1024 ** 3),
  node: process.version,
  platform: platform(),
  arch: arch(),
  cpu: cpus()[0]?.model.trim() ?? 'unknown',
});

export const reportJson = (bench: string, figures: readonly Figure[]): string =>
  JSON.stringify({ bench, machine: machine(), rows: figures.map(rowOf) });

const verdicts = new Map<boolean | null, string>([
  [true, 'met'],
  [false, 'MISSED'],
  [null, ''],
]);

export function reportTable(bench: string, figures: readonly Figure[]): string {
  const { cores, memoryGiB, node, cpu } = machine();
  const cells = figures
    .map(rowOf)
    .map(({ metric, value, unit, target, ok }) => [
      metric,
      value.toLocaleString('en'),
      unit,
      target ?? '',
      verdicts.get(ok)!,
    ]);
  const table = [['metric', 'value', 'unit', 'target', ''], ...cells];
  const widths = table[0]!.map((_, column) => Math.max(...table.map((line) => line[column]!.length)));
  const lines = table.map((line) =>
    line
      .map((cell, column) => (column === 1 ? cell.padStart(widths[column]!) : cell.padEnd(widths[column]!)))
      .join('  ')
      .trimEnd(),
  );
  return [`${bench} (${cores} cores, ${memoryGiB} GiB, Node ${node}, ${cpu})`, ...lines, ''].join('\n');
}
