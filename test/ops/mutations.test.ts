import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { allMistakes } from '../../ops/mutations/all-mistakes.ts';
import { withMistake } from '../../ops/mutations/mistake.ts';

const inRoot = (path: string) => new URL(`../../${path}`, import.meta.url);

describe('the deliberate mistakes', () => {
  it('have names of their own', () => {
    const names = allMistakes.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });

  it.each(allMistakes)('can be made: $name', (mistake) => {
    const source = readFileSync(inRoot(mistake.file), 'utf8');
    expect(withMistake(mistake, source)).not.toBe(source);
    expect(mistake.tests.filter((file) => !existsSync(inRoot(file)))).toEqual([]);
  });
});
