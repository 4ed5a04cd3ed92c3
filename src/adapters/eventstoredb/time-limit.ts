/** The server has neither answered nor failed in time: what was asked may or may not have happened. */
export class TimedOut extends Error {
  constructor(what: string, timeoutMs: number) {
    super(`EventStoreDB has not answered within ${timeoutMs} ms: ${what}`);
    this.name = 'TimedOut';
  }
}

/** The client has calls without a deadline, so that every call gets one here. What comes later is left alone. */
export function withinTime<Result>(what: string, timeoutMs: number, answer: Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new TimedOut(what, timeoutMs)), timeoutMs);
    answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
