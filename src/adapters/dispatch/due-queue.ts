import type { Clock } from '../../ports/clock.ts';

/** What is to be done later, by the clock port. */
export interface DueQueue {
  readonly add: (delayMs: number, run: () => void) => void;
  /** What is not yet due is never done. */
  readonly close: () => void;
}

interface Task {
  readonly dueMs: number;
  readonly run: () => void;
}

/** One sleeper for all tasks: a thousand that wait are a thousand entries and not as many timers. */
export function createDueQueue(clock: Clock): DueQueue {
  const tasks: Task[] = []; // the earliest last
  let sleeper: AbortController | undefined;
  let closed = false;

  const runDue = (): void => {
    const nowMs = clock.nowMs();
    for (let last = tasks.at(-1); last !== undefined && last.dueMs <= nowMs; last = tasks.at(-1)) {
      tasks.pop();
      last.run();
    }
  };

  const sleep = async (): Promise<void> => {
    for (let last = tasks.at(-1); last !== undefined && !closed; last = tasks.at(-1)) {
      sleeper = new AbortController();
      await clock.sleep(last.dueMs - clock.nowMs(), sleeper.signal);
      if (!closed) runDue();
    }
    sleeper = undefined;
  };

  return {
    add: (delayMs, run) => {
      if (closed) return;
      const dueMs = clock.nowMs() + delayMs;
      let index = tasks.length;
      while (index > 0 && tasks[index - 1]!.dueMs <= dueMs) index -= 1;
      tasks.splice(index, 0, { dueMs, run });
      if (sleeper === undefined) void sleep();
      else if (index === tasks.length - 1) sleeper.abort(); // earlier than what is slept for
    },
    close: () => {
      closed = true;
      tasks.length = 0;
      sleeper?.abort();
    },
  };
}
