import type { SharedTimings } from '../../concurrency/shared-memory/shared-timings.ts';
import type { Appended, EventStore, VersionConflict } from '../../ports/event-store.ts';
import type { Stopwatch } from '../../ports/stopwatch.ts';

/** How a call to append ended; one for several streams is a conflict when one of them is. */
export const appendOutcomes = ['appended', 'conflict', 'failed'] as const;
type AppendOutcome = (typeof appendOutcomes)[number];

const numberOf = (outcome: AppendOutcome): number => appendOutcomes.indexOf(outcome);

const outcomeOf = (outcomes: readonly (Appended | VersionConflict)[]): AppendOutcome =>
  outcomes.some(({ outcome }) => outcome === 'conflict') ? 'conflict' : 'appended';

/** An event store that measures how long its appends take. */
export function measuredAppends<Store extends EventStore>(
  store: Store,
  timings: SharedTimings,
  stopwatch: Stopwatch,
): Store {
  const measured = async <Answer>(call: () => Promise<Answer>, end: (answer: Answer) => AppendOutcome) => {
    const begunMs = stopwatch();
    let outcome: AppendOutcome = 'failed';
    try {
      const answer = await call();
      outcome = end(answer);
      return answer;
    } finally {
      timings.add(numberOf(outcome), stopwatch() - begunMs);
    }
  };
  return {
    ...store,
    append: (append) =>
      measured(
        () => store.append(append),
        (answer) => outcomeOf([answer]),
      ),
    appendMany: (appends) => measured(() => store.appendMany(appends), outcomeOf),
  };
}
