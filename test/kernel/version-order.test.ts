import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { describe, expect, it } from 'vitest';
import {
  compareVersions,
  isPrereleaseVersion,
  parseVersion,
  type Version,
  versionStep,
} from '../../src/kernel/version-order.ts';

const parsed = (text: string): Version => {
  const version = parseVersion(text);
  if (version === null) throw new Error(`${text} is not parseable`);
  return version;
};

const signs = { '<': -1, '=': 0, '>': 1 } as const;

const table: readonly (readonly [string, keyof typeof signs, string])[] = [
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
];

const edges: typeof table = [
  ['v1.0.0-rc.1', '=', '1.0.0-rc.1'],
  ['v2-beta', '<', 'v2'],
  ['v1_2_3', '=', '1.2.3'],
  ['r1_2_3', '=', '1.2.3'],
  ['REL_13_4', '=', '13.4'],
  ['go1.22-rc1', '=', '1.22.0-rc.1'],
  ['go1-rc1', '<', '1.0.0'],
  ['my-lib2-v1.0.0', '=', '1.0.0'],
  ['oauth2-1.3.0', '=', '1.3.0'],
  ['lib2-core-1.0', '=', '1.0.0'],
  ['Version 2.0', '=', '2.0.0'],
  ['Über App 2.1', '=', '2.1.0'],
  ['g++-13.1', '=', '13.1.0'],
  ['v.1.0', '=', '1.0.0'],
  [' 1.0.0 ', '=', '1'],
  ['1.0.0(45)', '=', '1.0.0'],
  ['1.0.0 beta', '=', '1.0.0'],
  ['01.002.0003', '=', '1.2.3'],
  ['000', '=', '0.0.0.0'],
  ['1.0.0-rc.01', '=', '1.0.0-rc.1'],
  ['1.0.0-', '=', '1.0.0'],
  ['v2024-05-01', '=', '2024.5.1'],
  ['r2024-05-01', '=', '2024.5.1'],
  ['nightly-2024-05-01', '=', '2024.5.1'],
  ['2024-05', '=', '2024.5'],
  ['2024-05-01.2', '=', '2024.5.1.2'],
  ['2024-05-01-2', '=', '2024.5.1.2'],
  ['2024-05-01-2-rc1', '<', '2024-05-01-2'],
  ['2024-05-01-3abc', '<', '2024-05-01'],
  ['2024-13-01', '<', '2024'],
  ['1.0c1', '=', '1.0rc1'],
  ['1.0a1', '=', '1.0.0-alpha.1'],
  ['1.0.0-a.1', '<', '1.0.0-alpha.1'],
  ['1.0.0-b1', '>', '1.0.0-a1'],
  ['1.0.0-GA', '=', '1.0.0'],
  ['4.2.1.RELEASE', '=', '4.2.1'],
  ['1.0-stable', '=', '1.0'],
  ['1.0-lts', '=', '1.0'],
  ['1.0.post2', '<', '1.0.post10'],
  ['1.0.post', '>', '1.0'],
  ['1.0.post1.dev2', '<', '1.0.post1'],
  ['1.0.post1.dev2', '>', '1.0'],
  ['1.0rc1.post1', '>', '1.0rc1'],
  ['1.0rc1.post1', '<', '1.0'],
  ['1.0.0-99999999999999999999', '<', '1.0.0-999999999999999999999'],
  ['1.0.0-2', '<', '1.0.0-10'],
  ['1.0.0-x.7', '<', '1.0.0-x.7.z'],
  ['1.0.0-1a', '>', '1.0.0-2'],
];

describe('compareVersions', () => {
  it.each([...table, ...edges])('%s %s %s', (a, sign, b) => {
    expect(Math.sign(compareVersions(parsed(a), parsed(b)))).toBe(signs[sign]);
    expect(Math.sign(compareVersions(parsed(b), parsed(a)))).toBe(0 - signs[sign]);
  });

  it('is a total order: antisymmetric and transitive', () => {
    const random = xoroshiro128plus(20260301);
    const pick = <T>(items: readonly T[]): T => items[uniformInt(random, 0, items.length - 1)] as T;
    const numbers = ['0', '1', '2', '9', '10', '010', '2024', '99999999999999999999'];
    const rests = ['', '', '-rc.1', 'rc1', 'a2', 'b', '-a', '-1', '-alpha.1', '-alpha.beta', '.post1', '.post1.dev2'];
    const more = ['.dev1', '.Final', '-x.7.z', '-rc.1.post2', '+b', '_beta2', '-0a', '-hotfix', ' (3)'];
    const versions = Array.from({ length: 120 }, () => {
      const core = Array.from({ length: uniformInt(random, 1, 4) }, () => pick(numbers)).join(pick(['.', '.', '_']));
      return parsed(pick(['', 'v', 'pkg@', 'name-', 'sdk/v']) + core + pick([...rests, ...more]));
    });
    const order = (a: Version, b: Version) => Math.sign(compareVersions(a, b));
    let broken = 0;
    for (const a of versions) {
      if (order(a, a) !== 0) broken += 1;
      for (const b of versions) {
        if (order(a, b) + order(b, a) !== 0) broken += 1;
        if (order(a, b) > 0) continue;
        for (const c of versions) {
          if (order(b, c) <= 0 && order(a, c) > 0) broken += 1;
          if (order(a, b) === 0 && order(a, c) !== order(b, c)) broken += 1;
        }
      }
    }
    expect(broken).toBe(0);
    expect(new Set(versions.map((version) => JSON.stringify(version))).size).toBeGreaterThan(80);
  });
});

describe('parseVersion', () => {
  it.each([
    'June update',
    'latest',
    '1.2.3.4.5',
    '',
    ' ',
    'v',
    '-',
    '1_2_3_4_5-rc1',
    '2024-05-01.2.3',
    '(build 45)',
    'pkg@',
  ])('%j is not parseable', (text) => {
    expect(parseVersion(text)).toBeNull();
  });

  it('keeps the parts as they are compared', () => {
    expect(parsed('pkg@v01.2-RC10')).toEqual({ core: ['1', '2', '0', '0'], post: null, pre: ['rc', '10'] });
    expect(parsed('1.0.post3')).toEqual({ core: ['1', '0', '0', '0'], post: '3', pre: [] });
  });

  // What is not linear would not end within the time that any test has.
  it.each(['a1-', 'a-', '1.', '9', '1-', 'v_', 'rc1.', ' ', '@', 'a', '-1a'])('reads a long text of %j', (unit) => {
    expect(() => parseVersion(unit.repeat(100_000))).not.toThrow();
  });
});

describe('a range over a source', () => {
  const stored = ['1.0.0', '1.1.0-beta.1', '1.1.0', '1.2.0', '2.0.0-rc.1', '2.0.0'];

  it.each([
    ['1.0.0', '1.1.0', ['1.1.0-beta.1', '1.1.0']],
    ['1.0.0', '1.0.0', []],
    ['v1.1', '2.0.0', ['1.2.0', '2.0.0-rc.1', '2.0.0']],
    ['2.0.0', '1.0.0', []],
    ['0.9', '1.9.9', ['1.0.0', '1.1.0-beta.1', '1.1.0', '1.2.0']],
    ['1.2.0', '2.0.0-rc.1', ['2.0.0-rc.1']],
    ['1.1.0-beta.1', '1.1.0+7', ['1.1.0']],
    ['demo@1.2.0', 'demo@2.0.0', ['2.0.0-rc.1', '2.0.0']],
  ])('from %s to %s holds %j', (from, to, entries) => {
    const inRange = (text: string) =>
      compareVersions(parsed(from), parsed(text)) < 0 && compareVersions(parsed(text), parsed(to)) <= 0;
    expect(stored.filter(inRange)).toEqual(entries);
    const shuffled = [...stored].reverse().sort((a, b) => compareVersions(parsed(a), parsed(b)));
    expect(shuffled).toEqual(stored);
  });

  it('has no basis from abc', () => {
    expect(parseVersion('abc')).toBeNull();
  });
});

describe('isPrereleaseVersion', () => {
  const words =
    'alpha beta a b c rc pre preview nightly dev canary next snapshot milestone m edge insider insiders experimental test ea';

  it.each(words.split(' '))('%s makes a prerelease', (word) => {
    for (const text of [`1.0.0-${word}`, `1.0.0-${word}.2`, `v1.0.0-${word}3`, `1.0.0-${word.toUpperCase()}1`]) {
      expect(isPrereleaseVersion(parsed(text)), text).toBe(true);
    }
  });

  it.each(['1.0rc1', '1.0a2', '1.0b1', '1.0c1', '1.0.0.dev1', '2.0.0-x.beta', '1.0.post1.dev2', '2.0.0.M3'])(
    '%s is a prerelease',
    (text) => {
      expect(isPrereleaseVersion(parsed(text))).toBe(true);
    },
  );

  it.each([
    '1.0.0',
    '1.0.0-hotfix.1',
    '1.0.0-1',
    '1.0.post1',
    '5.3.0.Final',
    '1.0.0+beta',
    'beta-1.0.0',
    '1.0.0-betamax',
  ])('%s is none', (text) => {
    expect(isPrereleaseVersion(parsed(text))).toBe(false);
  });

  it('is false without a version', () => {
    expect(isPrereleaseVersion(null)).toBe(false);
  });
});

describe('versionStep', () => {
  it.each([
    ['2.0.0', 'major'],
    ['v2', 'major'],
    ['2.0.0-rc.1', 'major'],
    ['2.1.0', 'minor'],
    ['0.1', 'minor'],
    ['2.1.1', 'patch'],
    ['2.0.1', 'patch'],
    ['2.0.0.1', 'patch'],
    ['2.0.post1', 'patch'],
  ])('%s raises the %s part', (text, step) => {
    expect(versionStep(parsed(text))).toBe(step);
  });
});
