import type { ThreadCalls } from './thread-messages.ts';
import type { Calling } from './thread.ts';

export interface CountedCalls<Calls extends ThreadCalls> extends Pick<Calling<Calls>, 'call'> {
  /** How many have not been answered yet. */
  readonly callsInHand: () => number;
}

/** The calls of those who call it through this, and of nobody else. */
export function countCalls<Calls extends ThreadCalls>(thread: Pick<Calling<Calls>, 'call'>): CountedCalls<Calls> {
  let inHand = 0;
  return {
    callsInHand: () => inHand,
    call: async (...call) => {
      inHand += 1;
      try {
        return await thread.call(...call);
      } finally {
        inHand -= 1;
      }
    },
  };
}
