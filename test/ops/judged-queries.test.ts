import { describe, expect, it } from 'vitest';
import { isHeldOut, queryKinds, readJudgedQueries } from '../../ops/bench/search-quality/judged-queries.ts';
import { pinnedPackages } from '../../ops/bench/changelog-quality/pinned-packages.ts';
import { pinnedSearchPackages } from '../../ops/bench/search-quality/pinned-search-packages.ts';
import { corpusIdOf } from '../../ops/bench/search-quality/search-corpus.ts';

// Against the schema they are read; against the changelogs ops/bench/search-quality/check-queries.ts holds them.
const queries = readJudgedQueries();
const ofKind = (kind: string) => queries.filter((query) => query.kind === kind);
const repeatedIn = (values: readonly string[]): string[] =>
  values.filter((value, index) => values.indexOf(value) !== index);

describe('the judged queries', () => {
  it('have ids that name their kind, and ask nothing twice', () => {
    expect(repeatedIn(queries.map(({ id }) => id))).toEqual([]);
    expect(repeatedIn(queries.map(({ q }) => q.toLowerCase()))).toEqual([]);
    expect(queries.filter(({ id, kind }) => !id.startsWith(`${kind}-`))).toEqual([]);
  });

  it.each(queryKinds)('are enough of the kind %s, about half of them held out', (kind) => {
    const all = ofKind(kind);
    expect(all.length).toBeGreaterThanOrEqual(24);
    const share = all.filter(({ id }) => isHeldOut(id)).length / all.length;
    expect(share).toBeGreaterThanOrEqual(0.4);
    expect(share).toBeLessThanOrEqual(0.6);
  });

  it('judge every release once, and have an answer that is exactly what is asked for, which comes first', () => {
    for (const { id, judged } of queries) {
      expect(repeatedIn(judged.map(corpusIdOf)), id).toEqual([]);
      expect(judged[0]!.grade, id).toBe(3);
    }
  });

  it('are about packages that are searched', () => {
    const named = queries.flatMap(({ judged }) => judged.map((release) => release.package));
    expect(named.filter((name) => !pinnedSearchPackages.includes(name))).toEqual([]);
  });

  it('are spread over the packages: none is the main answer of more than three', () => {
    const mains = queries.map(({ judged }) => judged[0]!.package);
    expect(pinnedSearchPackages.filter((name) => mains.filter((main) => main === name).length > 3)).toEqual([]);
  });
});

describe('the packages that are searched', () => {
  it('are at least 60, each pinned at one version', () => {
    expect(pinnedSearchPackages.length).toBeGreaterThanOrEqual(60);
    const pinned = pinnedPackages.map(({ spec }) => spec.slice(0, spec.lastIndexOf('@')));
    expect(pinnedSearchPackages.filter((name) => pinned.filter((each) => each === name).length !== 1)).toEqual([]);
    expect(repeatedIn(pinnedSearchPackages)).toEqual([]);
  });
});
