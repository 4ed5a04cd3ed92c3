import { describe, expect, it } from 'vitest';
import { judgeOutcomes, type TestOutcomes } from '../../ops/mutations/test-outcomes.ts';

type Outcome = TestOutcomes['tests'][number];

const failedWith = (name: string, ...messages: string[]): Outcome => ({
  name,
  state: 'failed',
  errors: messages.map((message) => ({ name: 'Error', message })),
});
const passed: Outcome = { name: 'passes', state: 'passed', errors: [] };
const skipped: Outcome = { name: 'is skipped', state: 'skipped', errors: [] };
const timeOut = 'Test timed out in 120000ms.\nIf this is a long-running test, pass a timeout value';

const judge = (...tests: Outcome[]) => judgeOutcomes({ notLoaded: [], tests });

describe('how the tests of a deliberate mistake ended', () => {
  it('is noticed by a test that fails by what it found', () => {
    expect(judge(passed, failedWith('fails', 'expected 1 to be 2'))).toEqual({
      failed: ['fails'],
      timedOut: [],
      broken: null,
    });
  });

  it('is not noticed by a test whose time was over, unless it had found something, too', () => {
    expect(judge(failedWith('hangs', timeOut), failedWith('hangs before', 'Hook timed out in 50ms.'))).toMatchObject({
      failed: [],
      timedOut: ['hangs', 'hangs before'],
    });
    expect(judge(failedWith('both', 'expected 1 to be 2', timeOut))).toMatchObject({ failed: ['both'], timedOut: [] });
  });

  it('says nothing where a file was not loaded, no test ran or the program is none', () => {
    expect(judgeOutcomes({ notLoaded: ['a.test.ts: Transform failed'], tests: [passed] }).broken).toMatch('Transform');
    expect(judge(skipped).broken).toBe('no test ran');
    expect(judge().broken).toBe('no test ran');
    const errors = [{ name: 'ReferenceError', message: 'nope is not defined' }];
    expect(judge({ name: 'throws', state: 'failed', errors }).broken).toBe('nope is not defined');
  });
});
