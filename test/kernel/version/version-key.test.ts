import { describe, expect, it } from 'vitest';
import { afterVersionKey, compareVersionKeys, versionKey } from '../../../src/kernel/version/version-key.ts';
import { versionName } from '../../../src/kernel/version/versions.ts';
import { compareVersions } from '../../spec/naive/naive-versions.ts';
import { createSeeded } from '../../spec/seeded.ts';
import { seedsToRun } from '../../spec/seeds.ts';

const keyOf = (text: string): string => {
  const key = versionKey(text);
  if (key === null) throw new Error(`${text} is not parseable`);
  return key;
};

const signs = { '<': -1, '=': 0, '>': 1 } as const;

// The table of contract 9.3.
const rows: readonly (readonly [string, keyof typeof signs, string])[] = [
  ['1.0.0', '<', '2.0.0-rc.1'],
  ['2.0.0-rc.1', '<', '2.0.0'],
  ['v1.0', '=', '1.0.0'],
  ['v2', '>', '1.99.99'],
  ['1.2.9', '<', '1.2.10'],
  ['1.0.0-alpha', '<', '1.0.0-alpha.1'],
  ['1.0.0-alpha.1', '<', '1.0.0-alpha.beta'],
  ['1.0.0-alpha.beta', '<', '1.0.0-beta'],
  ['1.0.0-beta.2', '<', '1.0.0-beta.11'],
  ['1.0.0-beta.11', '<', '1.0.0-rc.1'],
  ['1.0.0-1', '<', '1.0.0-alpha'],
  ['1.0.0+build.1', '=', '1.0.0+build.9'],
  ['1.0.0-rc.1+5', '=', '1.0.0-rc.1'],
  ['pkg@1.2.3', '=', '1.2.3'],
  ['@scope/pkg@2.0.0', '>', 'pkg@1.9.9'],
  ['name-v3.1.0', '=', '3.1.0'],
  ['sdk/v1.4.0', '>', 'sdk/v1.3.9'],
  ['release-2.5', '=', '2.5.0'],
  ['log4j-2.17.1', '>', '2.17.0'],
  ['go1.22.3', '>', 'go1.22'],
  ['curl-8_7_1', '=', '8.7.1'],
  ['2023.12.31', '<', '2024.01.01'],
  ['2024.05.01', '<', '2024.5.12'],
  ['2024-05-01', '=', '2024.5.1'],
  ['1.2.3.4', '>', '1.2.3'],
  ['1.2.3.0', '=', '1.2.3'],
  ['1.0rc1', '=', '1.0.0-rc.1'],
  ['1.0a2', '<', '1.0b1'],
  ['1.0.0.dev1', '<', '1.0.0'],
  ['1.0.0-rc2', '<', '1.0.0-rc10'],
  ['1.0.0-RC.1', '=', '1.0.0-rc.1'],
  ['1.0.post1', '>', '1.0'],
  ['1.0.post1', '<', '1.0.1'],
  ['5.3.0.Final', '=', '5.3.0'],
  ['1.0.0-hotfix.1', '<', '1.0.0'],
  ['2.0.0 (build 45)', '=', '2.0.0'],
  ['999999999999999999999.0.0', '>', '99999999999999999999.0.0'],
  ['1.0.post1.dev2', '<', '1.0.post1'],
  ['1.0.post1.dev2', '>', '1.0'],
  ['1.0.0-rc', '<', '1.0.0-rcx'],
  ['1.0.0-rc.1', '<', '1.0.0-rc-2'],
  ['99999999', '<', '100000000'],
  ['999999999', '<', '1000000000'],
];

describe('versionKey', () => {
  it.each(rows)('%s %s %s', (a, sign, b) => {
    expect(compareVersionKeys(keyOf(a), keyOf(b))).toBe(signs[sign]);
    expect(compareVersionKeys(keyOf(b), keyOf(a))).toBe(0 - signs[sign]);
    expect(compareVersions(a, b)).toBe(signs[sign]);
  });

  it.each(['June update', 'latest', '1.2.3.4.5', ''])('%j has none', (text) => {
    expect(versionKey(text)).toBeNull();
  });

  it('leaves room for nothing between a key and what is after it', () => {
    const keys = rows.flatMap(([a, , b]) => [keyOf(a), keyOf(b)]);
    for (const key of keys) {
      const after = afterVersionKey(key);
      expect(compareVersionKeys(key, after)).toBe(-1);
      const between = keys.filter((each) => compareVersionKeys(key, each) < 0 && compareVersionKeys(each, after) <= 0);
      expect(between, key).toEqual([]);
    }
  });

  it.each(seedsToRun(5))('orders random versions as comparing them part by part does, seed %i', (seed) => {
    const random = createSeeded(seed);
    const number = () => String(random.pick([0, 1, 2, 9, 10, 11, 99_999_999, 100_000_000, random.int(0, 1_000)]));
    const word = () => random.pick(['a', 'rc', 'beta', 'beta2', 'ü', '🚀', 'post', 'x!', 'rc~', 'z']);
    const part = () => (random.chance(50) ? number() : `${word()}${random.chance(50) ? number() : ''}`);
    const text = () => {
      const core = Array.from({ length: random.int(1, 4) }, number).join('.');
      const rest = Array.from({ length: random.int(0, 3) }, () => `${random.pick(['-', '.', '_'])}${part()}`);
      return `${random.pick(['', 'v', 'pkg@'])}${core}${rest.join('')}`;
    };
    for (let round = 0; round < 2_000; round += 1) {
      const [a, b] = [text(), text()];
      const order = compareVersions(a, b);
      if (order !== null) expect(compareVersionKeys(keyOf(a), keyOf(b)), `${a} and ${b}`).toBe(order);
    }
  });
});

describe('versionName', () => {
  it.each([
    ['1.0.0', ''],
    ['v1.0.0', ''],
    ['go1.22', ''],
    ['Pkg@1.2.3', 'pkg'],
    ['@scope/pkg@2.0.0', '@scope/pkg'],
    ['sdk/v1.4.0', 'sdk'],
    ['name-v3.1.0', 'name'],
    ['log4j-2.17.1', 'log4j'],
    ['a/b-core-1.0', 'a/b-core'],
    ['pkg@June', 'pkg'],
    ['June update', ''],
    ['', ''],
  ])('of %j is %j', (text, name) => {
    expect(versionName(text)).toBe(name);
  });
});
