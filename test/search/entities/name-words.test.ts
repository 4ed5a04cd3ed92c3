import { describe, expect, it } from 'vitest';
import { wantedWord } from '../../../src/search/entities/entity-keys.ts';
import { nameWords } from '../../../src/search/entities/name-words.ts';

describe('the words of a name', () => {
  it.each([
    ['useTransition', ['use', 'transition']],
    ['snake_case-and.dots', ['snake', 'case', 'and', 'dots']],
    ['HTTPServer', ['httpserver']],
    ['v2Ray', ['v2', 'ray']],
    ['Übergröße', ['übergröße']],
    ['日本語 docs', ['日本語', 'docs']],
    ['@scope/pkg', ['scope', 'pkg']],
    ['!!!', []],
  ])('%s', (name, words) => {
    expect(nameWords(name)).toEqual(words);
  });
});

describe('what is typed', () => {
  it.each([
    ['  Acme Doors ', 'acmedoors'],
    ['acme-doors', 'acmedoors'],
    ['AcmeDoors', 'acmedoors'],
    ['acme/doors', 'acmedoors'],
    ['https://github.com/acme/doors', 'githubcomacmedoors'],
    ['github:acme/doors', 'acmedoors'],
    ['www.Acme.example', 'acmeexample'],
    ['https', 'https'],
    ['www', 'www'],
    ['?!', null],
    ['🚀', null],
  ])('%s', (q, wanted) => {
    expect(wantedWord(q)).toBe(wanted);
  });
});
