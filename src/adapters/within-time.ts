import type { Backend } from '../kernel/backend-unavailable.ts';

/** The server has neither answered nor failed in time: what was asked may or may not have happened. */
export class TimedOut extends Error {
  constructor({ server, what, timeoutMs }: TimeLimit) {
    super(`${server} has not answered within ${timeoutMs} ms: ${what}`);
    this.name = 'TimedOut';
  }
}

export interface TimeLimit {
  readonly server: Backend;
  /** What was asked, for the message. */
  readonly what: string;
  readonly timeoutMs: number;
}

/** Clients have calls without a deadline, or try for a minute: so each call gets a bound. What comes later is left alone. */
export function withinTime<Result>(limit: TimeLimit, answer: Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new TimedOut(limit)), limit.timeoutMs);
    answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
