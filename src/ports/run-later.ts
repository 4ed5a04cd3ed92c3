/** Does something after a while, unless the process has ended by then: nothing waits for it. */
export type RunLater = (ms: number, run: () => void) => void;
