import { describe, expect, it } from 'vitest';
import { isPrereleaseVersion, parseVersion, type Version, versionStep } from '../../../src/kernel/version/versions.ts';

const parsed = (text: string): Version => {
  const version = parseVersion(text);
  if (version === null) throw new Error(`${text} is not parseable`);
  return version;
};

const sameVersions: readonly (readonly [string, string])[] = [
  ['v1.0', '1.0.0'],
  ['1.0.0+build.1', '1.0.0+build.9'],
  ['1.0.0-rc.1+5', '1.0.0-rc.1'],
  ['pkg@1.2.3', '1.2.3'],
  ['name-v3.1.0', '3.1.0'],
  ['release-2.5', '2.5.0'],
  ['curl-8_7_1', '8.7.1'],
  ['2024-05-01', '2024.5.1'],
  ['1.2.3.0', '1.2.3'],
  ['1.0rc1', '1.0.0-rc.1'],
  ['1.0.0-RC.1', '1.0.0-rc.1'],
  ['5.3.0.Final', '5.3.0'],
  ['2.0.0 (build 45)', '2.0.0'],
  ['v1.0.0-rc.1', '1.0.0-rc.1'],
  ['v1_2_3', '1.2.3'],
  ['r1_2_3', '1.2.3'],
  ['REL_13_4', '13.4'],
  ['go1.22-rc1', '1.22.0-rc.1'],
  ['my-lib2-v1.0.0', '1.0.0'],
  ['oauth2-1.3.0', '1.3.0'],
  ['lib2-core-1.0', '1.0.0'],
  ['Version 2.0', '2.0.0'],
  ['Über App 2.1', '2.1.0'],
  ['g++-13.1', '13.1.0'],
  ['v.1.0', '1.0.0'],
  [' 1.0.0 ', '1'],
  ['1.0.0(45)', '1.0.0'],
  ['1.0.0 beta', '1.0.0'],
  ['01.002.0003', '1.2.3'],
  ['000', '0.0.0.0'],
  ['1.0.0-rc.01', '1.0.0-rc.1'],
  ['1.0.0-', '1.0.0'],
  ['v2024-05-01', '2024.5.1'],
  ['r2024-05-01', '2024.5.1'],
  ['nightly-2024-05-01', '2024.5.1'],
  ['2024-05', '2024.5'],
  ['2024-05-01.2', '2024.5.1.2'],
  ['2024-05-01-2', '2024.5.1.2'],
  ['1.0c1', '1.0rc1'],
  ['1.0a1', '1.0.0-alpha.1'],
  ['1.0.0-GA', '1.0.0'],
  ['4.2.1.RELEASE', '4.2.1'],
  ['1.0-stable', '1.0'],
  ['1.0-lts', '1.0'],
];

describe('parseVersion', () => {
  it.each(sameVersions)('reads %s as %s', (text, plain) => {
    expect(parsed(text)).toEqual(parsed(plain));
  });

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

  it('keeps the parts', () => {
    expect(parsed('pkg@v01.2-RC10')).toEqual({ core: ['1', '2', '0', '0'], post: null, pre: ['rc', '10'] });
    expect(parsed('1.0.post3')).toEqual({ core: ['1', '0', '0', '0'], post: '3', pre: [] });
  });

  // What is not linear would not end within the time that any test has.
  it.each(['a1-', 'a-', '1.', '9', '1-', 'v_', 'rc1.', ' ', '@', 'a', '-1a'])('reads a long text of %j', (unit) => {
    expect(() => parseVersion(unit.repeat(100_000))).not.toThrow();
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
