import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { withSettingsTable } from '../../src/config/settings-table.ts';

it('the README shows every setting as the schema has it (npm run docs:config)', () => {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  expect(readme).toBe(withSettingsTable(readme));
});
