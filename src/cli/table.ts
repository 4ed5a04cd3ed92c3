/** Columns as wide as their widest cell; the last one is as long as it is. */
export function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, at) => rows.reduce((width, row) => Math.max(width, row[at]!.length), title.length));
  const lineOf = (row: readonly string[]) =>
    row.map((cell, at) => (at === row.length - 1 ? cell : cell.padEnd(widths[at]!))).join('  ');
  return [head, ...rows].map(lineOf).join('\n');
}
