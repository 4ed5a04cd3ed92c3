import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { changelogEntries } from '../../../src/ingest/changelog/changelog-entries.ts';

// Small files in the manner of what people write, each beside the entries that a reader finds in it.
const folder = fileURLToPath(new URL('../../fixtures/changelogs/', import.meta.url));
const files = readdirSync(folder).filter((name) => !name.endsWith('.json'));

it('knows at least 40 styles', () => {
  expect(files.length).toBeGreaterThanOrEqual(40);
});

it.each(files)('%s', (name) => {
  const expected: unknown = JSON.parse(readFileSync(`${folder}${name.replace(/\.\w+$/, '.json')}`, 'utf8'));
  expect(changelogEntries(readFileSync(`${folder}${name}`, 'utf8'))).toEqual(expected);
});
