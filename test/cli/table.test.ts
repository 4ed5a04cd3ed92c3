import { expect, it } from 'vitest';
import { tableOf } from '../../src/cli/table.ts';

it('gives each column the width of its widest cell', () => {
  const rows = [
    ['1.0.0', '2026-01-01', 'First'],
    ['10.20.30', '-', 'A longer title'],
  ];
  expect(tableOf(['VERSION', 'DATE', 'TITLE'], rows)).toBe(
    'VERSION   DATE        TITLE\n1.0.0     2026-01-01  First\n10.20.30  -           A longer title',
  );
});
