import { describe, expect, it } from 'vitest';
import { releaseWebPath } from '../../../src/domain/release/web-path.ts';

const path = (words: { titleShort?: string; titleGenerated?: string; title?: string; version?: string }): string =>
  releaseWebPath('rel_1', { titleShort: null, titleGenerated: null, title: '', version: null, ...words });

describe('releaseWebPath', () => {
  it('takes the first name that gives words', () => {
    const names = { titleShort: 'Short', titleGenerated: 'Generated', title: 'Title', version: '1.2.0' };
    expect(path(names)).toBe('/release/rel_1-short');
    expect(path({ ...names, titleShort: '' })).toBe('/release/rel_1-generated');
    expect(path({ ...names, titleShort: '…', titleGenerated: '' })).toBe('/release/rel_1-title');
    expect(path({ title: '更新', version: 'v1.2.0' })).toBe('/release/rel_1-v1-2-0');
  });

  it('is the id alone where no name gives words', () => {
    expect(path({ title: '更新' })).toBe('/release/rel_1');
  });

  it('cuts at a hyphen, to at most 80 characters', () => {
    expect(path({ title: `${'a'.repeat(40)} ${'b'.repeat(39)}` })).toBe(
      `/release/rel_1-${'a'.repeat(40)}-${'b'.repeat(39)}`,
    );
    expect(path({ title: `${'a'.repeat(40)} ${'b'.repeat(39)} c` })).toBe(
      `/release/rel_1-${'a'.repeat(40)}-${'b'.repeat(39)}`,
    );
    expect(path({ title: `${'a'.repeat(40)} ${'b'.repeat(40)}` })).toBe(`/release/rel_1-${'a'.repeat(40)}`);
    expect(path({ title: 'a'.repeat(81) })).toBe(`/release/rel_1-${'a'.repeat(80)}`);
  });
});
