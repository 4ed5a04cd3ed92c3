/** How the tests of one run of vitest ended. */
export interface TestOutcomes {
  /** Of files that could not be loaded. */
  readonly notLoaded: readonly string[];
  readonly tests: readonly {
    readonly name: string;
    readonly state: 'passed' | 'failed' | 'skipped' | 'pending';
    readonly errors: readonly { readonly name: string; readonly message: string }[];
  }[];
}

export interface JudgedOutcomes {
  /** Names of the tests that failed by what they found. */
  readonly failed: readonly string[];
  /** Tests that failed because their time was over: a mistake that makes them wait for ever is not told by them. */
  readonly timedOut: readonly string[];
  /** Why the run says nothing about the product: a file that cannot be loaded, a name that does not exist, no tests. */
  readonly broken: string | null;
}

const isTimeOut = ({ message }: { readonly message: string }): boolean =>
  /^(Test|Hook) timed out in \d+ ?ms/.test(message);

/** What the compiler would have refused says nothing about the tests. */
const isNoProgram = ({ name }: { readonly name: string }): boolean =>
  name === 'ReferenceError' || name === 'SyntaxError';

export function judgeOutcomes({ notLoaded, tests }: TestOutcomes): JudgedOutcomes {
  const failures = tests.filter(({ state }) => state === 'failed');
  const byTime = failures.filter(({ errors }) => errors.length > 0 && errors.every(isTimeOut));
  const ran = tests.some(({ state }) => state === 'passed' || state === 'failed');
  const noProgram = failures.flatMap(({ errors }) => errors).find(isNoProgram);
  return {
    failed: failures.filter((failure) => !byTime.includes(failure)).map(({ name }) => name),
    timedOut: byTime.map(({ name }) => name),
    broken: notLoaded[0] ?? noProgram?.message ?? (ran ? null : 'no test ran'),
  };
}
